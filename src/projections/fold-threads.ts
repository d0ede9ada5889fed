import type { Thread, ThreadChunk } from '../protocol/chunk.ts'
import type { Message } from '../protocol/message.ts'
import { createStoredDraft, type StoredDraft } from './stored-draft.ts'
import { createThreadCursor } from './thread-cursor.ts'

/** A message and the thread it was said in. */
export interface ThreadMessage {
  readonly thread: Thread
  readonly message: Message
}

/** Folds chunks alone, without a journal, into the assistant messages that would be kept, in the order in which they began. */
export function foldThreads(chunks: Iterable<ThreadChunk>): readonly ThreadMessage[] {
  const cursor = createThreadCursor()
  const drafts = new Map<string, { readonly thread: Thread; readonly draft: StoredDraft }>()
  for (const said of chunks) {
    const message = cursor.follow(said)
    if (message === null) continue
    const { thread } = said
    const key = `${thread ?? ''} ${message}`
    const known = drafts.get(key) ?? { thread, draft: createStoredDraft() }
    drafts.set(key, known)
    known.draft.push(said.chunk)
  }
  return Array.from(drafts.values(), ({ thread, draft }) => ({ thread, message: draft.finish().message }))
}
