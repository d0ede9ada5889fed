import { saidMeanwhile } from '../../protocol/said-meanwhile.ts'
import { blocksOf, textOf, wordsOf, type Words } from './messages.ts'
import { noticeOp } from './notice.ts'
import { asTyped, isPersonsText } from './prompt-in.ts'
import { hearTaskNotification } from './transcript-messages.ts'
import { note, say, type Page } from './transcript-state.ts'

/** A prompt that waits is asked later, or taken into the answer that is being given; then only this tells of it. */
export function hearQueue(page: Page, words: Words): void {
  const { queue } = page.book
  const content = textOf(words['content'])
  const operation = words['operation']
  if (operation === 'enqueue') return note(page, { queue: [...queue, content ?? ''] })
  // A person took them all back into the composer.
  if (operation === 'popAll') return note(page, { queue: [] })
  const at = Math.max(0, content === null ? 0 : queue.indexOf(content))
  const text = content ?? queue[at] ?? ''
  note(page, { queue: queue.toSpliced(at, 1) })
  if (operation !== 'remove' || text.trim() === '') return
  note(page, { takenIn: [...page.book.takenIn, text.trim()] })
  tellTaken(page, text, isPersonsText(text))
}

/** Newer versions tell the prompt that was taken in once more, with what it was. */
export function hearAttachment(page: Page, words: Words): void {
  const attachment = wordsOf(words['attachment']) ?? {}
  if (attachment['type'] !== 'queued_command') return
  const text = blocksOf(attachment['prompt'])
    .map(block =>
      block.type === 'text' ? block.text : `[${block.type === 'other' ? block.kind : block.type}]`,
    )
    .join('\n\n')
  if (text.trim() === '') return
  const { takenIn } = page.book
  const told = takenIn.indexOf(text.trim())
  if (told !== -1) return note(page, { takenIn: takenIn.toSpliced(told, 1) })
  const origin = textOf(wordsOf(attachment['origin'])?.['kind']) ?? 'human'
  tellTaken(page, text, origin === 'human' && isPersonsText(text))
}

function tellTaken(page: Page, text: string, isPersons: boolean): void {
  if (!isPersons) hearTaskNotification(page, text)
  const code = isPersons ? saidMeanwhile : 'told-to-model'
  say(page, null, noticeOp('info', code, asTyped(text.trim())))
}
