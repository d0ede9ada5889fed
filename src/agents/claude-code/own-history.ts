import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DragomanError } from '../../protocol/error.ts'
import type { Json } from '../../protocol/json.ts'
import type { OwnHistory } from '../agent.ts'
import { editedText, openLineHistory, type LineFormat } from '../kit/line-history.ts'
import { importer } from './import.ts'
import { objectsIn, listOf, textOf, fieldsOf, type Fields } from './messages.ts'

/** The transcript that Claude Code reads when it resumes a session. */
export const ownHistory: OwnHistory = {
  thinking: () => 'bound',
  open: async place => openLineHistory(format, await fileOf(place.agentSession), place),
}

/** The one file of that name, in the folder of any project. */
async function fileOf(session: string): Promise<string> {
  if (!/^[\w-]+$/.test(session))
    throw new DragomanError('agent-unavailable', 'its name is not a valid file name')
  const found: string[] = []
  for (const place of importer.places(process.env)) {
    const folders = await readdir(place).catch((): string[] => [])
    for (const folder of folders) {
      const file = join(place, folder, `${session}.jsonl`)
      const isFile = await stat(file).then(
        facts => facts.isFile(),
        () => false,
      )
      if (isFile) found.push(file)
    }
  }
  const [file] = found
  if (file === undefined || found.length > 1)
    throw new DragomanError('agent-unavailable', `it has ${found.length} files`)
  return file
}

const format: LineFormat = {
  agent: 'claude-code',
  resultsIn: line =>
    line['type'] === 'user'
      ? blocksIn(line).flatMap(block => {
          const call = callOf(block)
          return call === null ? [] : [[call, block['content'] ?? ''] as const]
        })
      : [],
  withResults: (line, results) =>
    withBlocks(line, block => {
      const content = results.get(callOf(block) ?? '')
      return content === undefined || !('content' in block) ? [block] : [{ ...block, content }]
    }),
  edited(content, edit) {
    // A text stays a text, and a list of blocks stays a list.
    if (typeof content === 'string') return editedText(content, edit)
    if (edit.how === 'append') return [...listOf(content), { type: 'text', text: edit.text }]
    const texts = objectsIn(content).flatMap(block => textOf(block['text']) ?? [])
    return [{ type: 'text', text: editedText(texts.join('\n'), edit) }]
  },
  thinking: {
    contentOf: line => (roles.has(line['type']) ? (fieldsOf(line['message'])?.['content'] ?? null) : null),
    nameOf: line => (line['type'] === 'assistant' ? textOf(fieldsOf(line['message'])?.['id']) : null),
    without(content) {
      const isKept = (each: Json) => !isThinking(fieldsOf(each) ?? {})
      return listOf(content).every(isKept) ? content : listOf(content).filter(isKept)
    },
    withContent: (line, content) => ({ ...line, message: { ...fieldsOf(line['message']), content } }),
  },
}

const roles: ReadonlySet<Json | undefined> = new Set(['user', 'assistant'])

const callOf = (block: Fields) => (block['type'] === 'tool_result' ? textOf(block['tool_use_id']) : null)

const isThinking = ({ type }: Fields) => type === 'thinking' || type === 'redacted_thinking'

const blocksIn = (line: Fields) => objectsIn(fieldsOf(line['message'])?.['content'])

function withBlocks(line: Fields, change: (block: Fields) => readonly Fields[]): Fields {
  const message = fieldsOf(line['message'])
  const content = listOf(message?.['content']).flatMap((each): readonly Json[] => {
    const block = fieldsOf(each)
    return block === null ? [each] : change(block)
  })
  return { ...line, message: { ...message, content } }
}
