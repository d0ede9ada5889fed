import type { Chunk } from '../protocol/chunk.ts'
import type { Json } from '../protocol/json.ts'
import type { Message, ToolApproval } from '../protocol/message.ts'
import { applyChunk, finishDraft } from './fold-message.ts'
import { answerCall } from './fold-tools.ts'
import { createDraft, findPart, type KeptMessage } from './message-draft.ts'
import { createRetelling, type PausedRetelling } from './retelling.ts'
import { reviveDraft } from './revive-draft.ts'

/** A kept message that is being written. */
export interface StoredDraft {
  /** Takes a chunk in; false when it only repeats what is there. */
  push(chunk: Chunk): boolean
  answer(toolCallId: string, approval: ToolApproval, input?: Json): void
  finish(): KeptMessage
  /** What must be known, beside the message, to go on with it; mostly nothing. */
  paused(): PausedRetelling | null
}

/** Begins an assistant message that will be kept, or goes on with one. */
export function createStoredDraft(from?: KeptMessage, pausedAt?: PausedRetelling): StoredDraft {
  const { draft, retracted } =
    from === undefined ? { draft: createDraft(), retracted: new Set<number>() } : reviveDraft(from)
  const retelling = createRetelling(draft, pausedAt)
  let made: { readonly of: Message; readonly kept: KeptMessage } | null = null

  const take = (chunk: Chunk) => {
    applyChunk(draft, chunk)
    if (chunk.type !== 'data-retracted') return
    for (const id of chunk.data.ids) retracted.add(findPart(draft, id) ?? -1)
  }
  const keep = (message: Message): KeptMessage => {
    const { partIds } = draft
    if (retracted.size === 0) return { message, partIds: partIds.slice() }
    const stays = (_: unknown, index: number) => !retracted.has(index)
    return { message: { ...message, parts: message.parts.filter(stays) }, partIds: partIds.filter(stays) }
  }
  return {
    push(chunk) {
      const passed = retelling.pass(chunk)
      for (const each of passed) take(each)
      return passed.length > 0
    },
    answer: (toolCallId, approval, input) => answerCall(draft, toolCallId, approval, input),
    finish() {
      const message = finishDraft(draft)
      if (made?.of !== message) made = { of: message, kept: keep(message) }
      return made.kept
    },
    paused: () => retelling.paused(),
  }
}

/** A message that came whole and stays as it is. */
export function createFixedDraft(kept: KeptMessage): StoredDraft {
  return { push: () => false, answer: () => {}, finish: () => kept, paused: () => null }
}
