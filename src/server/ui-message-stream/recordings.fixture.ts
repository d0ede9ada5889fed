import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { scripted } from '../../agents/scripted/index.ts'
import type { Chunk, ThreadChunk } from '../../protocol/chunk.ts'
import type { ConnectionId } from '../../protocol/ids.ts'
import { openParts } from '../../protocol/open-parts.ts'

const folder = fileURLToPath(new URL('../../agents/scripted/recordings/', import.meta.url))

/** The names of all recordings of the scripted agent. */
export const recordings = readdirSync(folder).map(name => name.replace('.jsonl', ''))

/** The lines of a recording. */
export const linesOf = (name: string) =>
  readFileSync(`${folder}${name}.jsonl`, 'utf8').split('\n').slice(0, -1)

/** What a recording says line by line, and what had to be closed for it at the end. */
export function readRecording(name: string): readonly (readonly ThreadChunk[])[] {
  const lines = linesOf(name)
  let state = scripted.initial('recording' as ConnectionId)
  let open = openParts.initial
  const said = lines.map(text => {
    const [next, chunks] = scripted.translate(state, { from: 'agent', text, cut: false })
    state = next
    open = chunks.reduce(openParts.apply, open)
    return chunks
  })
  return [...said, openParts.closeAll(open, { errorText: 'The agent ended.', reason: 'interrupted' })]
}

/** The chunks of each message of the main conversation, in one piece even when it was opened again. */
export function mainMessages(name: string): readonly (readonly Chunk[])[] {
  const messages = new Map<string, Chunk[]>()
  let current = ''
  for (const { thread, chunk } of readRecording(name).flat()) {
    if (thread !== null) continue
    if (chunk.type === 'start') current = chunk.messageId
    messages.set(current, [...(messages.get(current) ?? []), chunk])
  }
  return [...messages.values()]
}
