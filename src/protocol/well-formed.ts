import type { Chunk, Thread, ThreadChunk } from './chunk.ts'
import { checkContent, newMessage, type Lint, type Rule } from './chunk-checks.ts'

/** A broken rule, and the chunk at which it shows; the end of the stream counts as one more chunk. */
export interface Malformed {
  readonly index: number
  readonly rule: Rule
  readonly message: string
}

/** Finds every place where chunks break the rules of the stream, looking at each thread by itself. */
export function findMalformed(chunks: readonly ThreadChunk[]): readonly Malformed[] {
  const found: Malformed[] = []
  let index = 0
  const report = (rule: Rule, message: string) => void found.push({ index, rule, message })
  const lint: Lint = { live: new Map(), messages: new Map(), approvals: new Set(), calls: new Map(), report }
  for (const { thread, chunk } of chunks) {
    check(lint, thread, chunk)
    index += 1
  }
  for (const { id } of lint.live.values()) report(1, `message ${id} has no finish`)
  return found
}

/** Throws when chunks break a rule of the stream; the error names the first few. */
export function assertWellFormed(chunks: readonly ThreadChunk[]): void {
  const found = findMalformed(chunks)
  if (found.length === 0) return
  const lines = found.slice(0, 5).map(({ index, rule, message }) => {
    const at = chunks[index]
    const where = at ? `${at.chunk.type} in thread ${at.thread ?? 'main'}` : 'end of stream'
    return `chunk ${index} (${where}) breaks rule ${rule}: ${message}`
  })
  throw new Error(`The stream is malformed in ${found.length} places:\n${lines.join('\n')}`)
}

function check(lint: Lint, thread: Thread, chunk: Chunk): void {
  if (chunk.type === 'start') return checkStart(lint, thread, chunk.messageId)
  const message = lint.live.get(thread)
  if (!message) return lint.report(1, 'is not between start and finish')
  if (message.failed && chunk.type !== 'finish') lint.report(4, 'comes after an error, which must be last')
  checkContent(lint, message, chunk, thread)
  if (chunk.type === 'finish') lint.live.delete(thread)
}

function checkStart(lint: Lint, thread: Thread, messageId: string): void {
  if (typeof messageId !== 'string' || messageId === '') return lint.report(1, 'a start needs a messageId')
  if (lint.live.has(thread)) lint.report(1, 'starts while another message of its thread is open')
  const known = lint.messages.get(messageId)
  if (known && known.thread !== thread)
    lint.report(1, `message ${messageId} belongs to thread ${known.thread ?? 'main'}`)
  const home = thread === null ? null : lint.calls.get(thread)
  if (home === undefined || (thread !== null && home === thread))
    lint.report(10, `no tool call ${thread} of another thread started this one`)
  const message = known?.message ?? newMessage(messageId)
  message.failed = false
  lint.live.set(thread, message)
  lint.messages.set(messageId, { thread, message })
}
