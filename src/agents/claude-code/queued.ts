import { saidMeanwhile } from '../../protocol/said-meanwhile.ts'
import { blocksOf, textOf, fieldsOf, type Fields } from './messages.ts'
import { notice } from '../kit/parts.ts'
import { asTyped, isPersonsText } from './prompt-in.ts'
import { applyTaskNotification } from './transcript-messages.ts'
import { note, notify, type Page } from './transcript-state.ts'

/** A queued prompt is asked later, or joins the running answer; then only this line reports it. */
export function applyQueue(page: Page, fields: Fields): void {
  const { queue } = page.book
  const content = textOf(fields['content'])
  const operation = fields['operation']
  if (operation === 'enqueue') return note(page, { queue: [...queue, content ?? ''] })
  // A person moved them all back into the composer.
  if (operation === 'popAll') return note(page, { queue: [] })
  const at = Math.max(0, content === null ? 0 : queue.indexOf(content))
  const text = content ?? queue[at] ?? ''
  note(page, { queue: queue.toSpliced(at, 1) })
  if (operation !== 'remove' || text.trim() === '') return
  note(page, { takenIn: [...page.book.takenIn, text.trim()] })
  showJoined(page, text, isPersonsText(text))
}

/** Newer versions repeat the prompt that joined, with its content. */
export function applyAttachment(page: Page, fields: Fields): void {
  const attachment = fieldsOf(fields['attachment']) ?? {}
  if (attachment['type'] !== 'queued_command') return
  const text = blocksOf(attachment['prompt'])
    .map(block =>
      block.type === 'text' ? block.text : `[${block.type === 'other' ? block.kind : block.type}]`,
    )
    .join('\n\n')
  if (text.trim() === '') return
  const { takenIn } = page.book
  const seen = takenIn.indexOf(text.trim())
  if (seen !== -1) return note(page, { takenIn: takenIn.toSpliced(seen, 1) })
  const origin = textOf(fieldsOf(attachment['origin'])?.['kind']) ?? 'human'
  showJoined(page, text, origin === 'human' && isPersonsText(text))
}

function showJoined(page: Page, text: string, isPersons: boolean): void {
  if (!isPersons) applyTaskNotification(page, text)
  const code = isPersons ? saidMeanwhile : 'told-to-model'
  notify(page, null, notice('info', code, asTyped(text.trim())))
}
