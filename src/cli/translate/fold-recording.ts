import { createMessages } from '../../projections/messages.ts'
import type { Thread } from '../../protocol/chunk.ts'
import type { ConnectionId, EntryId, SessionId } from '../../protocol/ids.ts'
import type { Message } from '../../protocol/message.ts'
import type { TranslatedLine } from './translate-recording.ts'

/** A finished message and its thread. */
export interface ThreadMessage {
  readonly thread: Thread
  readonly message: Message
}

const connection = 'recording' as ConnectionId
const place = { session: 'recording' as SessionId, id: '' as EntryId, at: 0 }

/** Folds a translated recording into messages, thread by thread, as a session would save them. */
export async function foldRecording(lines: AsyncIterable<TranslatedLine>): Promise<readonly ThreadMessage[]> {
  const messages = createMessages()
  for await (const { line, chunks } of lines)
    messages.apply({
      ...place,
      seq: line,
      event: { type: 'agent-spoke', interaction: null, connection, raw: '', chunks },
    })
  return [...messages.view()].flatMap(([thread, kept]) => kept.map(({ message }) => ({ thread, message })))
}
