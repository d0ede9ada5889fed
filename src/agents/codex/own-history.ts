import { DragomanError } from '../../protocol/error.ts'
import type { Json } from '../../protocol/json.ts'
import type { OwnHistory } from '../agent.ts'
import { asObject, objectOf, textOf, textOrNull } from '../kit/fields.ts'
import { editedText, openLineHistory, type LineFormat } from '../kit/line-history.ts'
import { filesBelow } from '../kit/transcript-files.ts'
import { importer } from './import.ts'

/** The rollout that Codex reads when it resumes a thread. */
export const ownHistory: OwnHistory = {
  thinking: () => 'free',
  open: async place => openLineHistory(format, await fileOf(place.agentSession), place),
}

/** The only rollout whose name ends with the thread's id. */
async function fileOf(thread: string): Promise<string> {
  const found: string[] = []
  for (const place of importer.places(process.env)) {
    try {
      for await (const file of filesBelow(place)) if (file.endsWith(`-${thread}.jsonl`)) found.push(file)
    } catch {
      // Codex may have no archive.
    }
  }
  const [file] = found
  if (file === undefined || found.length > 1)
    throw new DragomanError('agent-unavailable', `it has ${found.length} files`)
  return file
}

const outputs: ReadonlySet<Json | undefined> = new Set(['function_call_output', 'custom_tool_call_output'])

const format: LineFormat = {
  agent: 'codex',
  resultsIn(line) {
    const payload = objectOf(line, 'payload')
    const isOutput = line['type'] === 'response_item' && outputs.has(payload['type'])
    const call = isOutput ? textOrNull(payload, 'call_id') : null
    return call === null ? [] : [[call, payload['output'] ?? '']]
  },
  withResults(line, results) {
    const payload = objectOf(line, 'payload')
    const output = results.get(textOf(payload, 'call_id'))
    return output === undefined || !('output' in payload)
      ? line
      : { ...line, payload: { ...payload, output } }
  },
  edited(output, edit) {
    // A text stays a text, and a list of items stays a list.
    if (typeof output === 'string') return editedText(output, edit)
    const items = Array.isArray(output) ? (output as readonly Json[]) : []
    if (edit.how === 'append') return [...items, { type: 'input_text', text: edit.text }]
    const texts = items.flatMap(item => textOrNull(asObject(item), 'text') ?? [])
    return [{ type: 'input_text', text: editedText(texts.join('\n'), edit) }]
  },
}
