import { TypeValidationError, type LanguageModelMiddleware } from 'ai'
import type { ResponseState } from './translation/state.ts'

type Streamed = Awaited<ReturnType<NonNullable<LanguageModelMiddleware['wrapStream']>>>

/** One part of the SDK's stream. */
export type Part = Streamed['stream'] extends ReadableStream<infer Each> ? Each : never

/**
 * Whether the SDK only reports that it does not know an event. The relay shows the event itself; the answer
 * continues.
 */
export const isUnknownEvent = (part: Part): boolean =>
  part.type === 'error' && TypeValidationError.isInstance(part.error)

/**
 * An answer without the events that the SDK does not know, and without what belongs to them; it ends as the wire
 * says.
 */
export function withoutUnknown(parts: readonly Part[], response: ResponseState | undefined): readonly Part[] {
  if (!parts.some(isUnknownEvent)) return parts
  const begun = new Set<string>()
  const stop = response?.wire.stop
  return parts.flatMap((part): readonly Part[] => {
    if (isUnknownEvent(part)) return []
    if (part.type === 'finish' && stop) {
      const finishReason = { unified: stop.reason, raw: stop.native }
      return [{ ...part, finishReason }]
    }
    const [, kind, phase] = /^(text|reasoning|tool-input)-(start|delta|end)$/.exec(part.type) ?? []
    if (kind === undefined || !('id' in part)) return [part]
    if (phase === 'start') begun.add(`${kind} ${part.id}`)
    return begun.has(`${kind} ${part.id}`) ? [part] : []
  })
}

/**
 * An answer without the SDK's warnings about the request, which the SDK would print to the terminal of the host
 * program.
 */
export const withoutWarnings = (parts: readonly Part[]): readonly Part[] =>
  parts.map(part => (part.type === 'stream-start' ? { ...part, warnings: [] } : part))

/** Calls have the same names as in the lines, so that results find them. */
export function renamed(parts: readonly Part[], response: ResponseState | undefined): readonly Part[] {
  const left = [...(response?.ids ?? [])]
  // An id is for one call: some services give one id to two calls, or none at all.
  const take = (id: string) => {
    const own = left.findIndex(([, given]) => given === id)
    const at = own === -1 ? left.findIndex(([, given]) => given === '') : own
    return at === -1 ? id : (left.splice(at, 1)[0]?.[0] ?? id)
  }
  const names = new Map<string, string>()
  const calls = parts.map(part => {
    if (part.type !== 'tool-call') return part
    const toolCallId = take(part.toolCallId)
    names.set(part.toolCallId, names.get(part.toolCallId) ?? toolCallId)
    return { ...part, toolCallId }
  })
  return calls.map(part => {
    if (part.type === 'tool-call') return part
    if ('toolCallId' in part) return { ...part, toolCallId: names.get(part.toolCallId) ?? part.toolCallId }
    if (
      part.type !== 'tool-input-start' &&
      part.type !== 'tool-input-delta' &&
      part.type !== 'tool-input-end'
    )
      return part
    return { ...part, id: names.get(part.id) ?? part.id }
  })
}
