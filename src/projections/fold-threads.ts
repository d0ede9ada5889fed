import type { Thread, ThreadChunk } from '../protocol/chunk.ts'
import type { Message } from '../protocol/message.ts'
import { createRepeatFilter } from './repeat-filter.ts'
import { createStoredDraft, type StoredDraft } from './fold-message.ts'
import { createThreadCursor } from './thread-cursor.ts'

/** A message and its thread. */
export interface ThreadMessage {
  readonly thread: Thread
  readonly message: Message
}

/** Folds chunks alone, without a journal, into the assistant messages that would be kept, in the order in which they began. */
export function foldThreads(chunks: Iterable<ThreadChunk>): readonly ThreadMessage[] {
  const cursor = createThreadCursor()
  const drafts = new Map<string, { readonly thread: Thread; readonly draft: StoredDraft }>()
  for (const from of chunks) {
    const message = cursor.follow(from)
    if (message === null) continue
    const { thread } = from
    const key = `${thread ?? ''} ${message}`
    const known = drafts.get(key) ?? { thread, draft: createStoredDraft(createRepeatFilter) }
    drafts.set(key, known)
    known.draft.push(from.chunk)
  }
  return Array.from(drafts.values(), ({ thread, draft }) => ({ thread, message: draft.finish().message }))
}
