import { createMessages } from '../../projections/messages.ts'
import { project } from '../../projections/projection.ts'
import { summary } from '../../projections/summary.ts'
import { createToolCalls } from '../../projections/tool-calls.ts'
import type { Entry } from '../../protocol/entry.ts'
import type { Message } from '../../protocol/message.ts'

/** The content of a session as text, to compare live and imported sessions. */
export interface Digest {
  readonly title: string | null
  readonly outcomes: readonly string[]
  /** The main conversation, then the threads of subagents in their order. */
  readonly threads: readonly (readonly string[])[]
  readonly tokens: string
  readonly cost: string
  /** Seconds from the first prompt: each prompt, each end, and each call with its duration. */
  readonly times: readonly number[]
}

/** Makes a digest of a session's entries. */
export function digestOf(entries: readonly Entry[]): Digest {
  const messages = createMessages()
  const calls = createToolCalls()
  for (const entry of entries) {
    messages.apply(entry)
    calls.apply(entry)
  }
  const facts = project(summary, entries)
  const threads = [...messages.view()].toSorted(([a], [b]) => Number(a !== null) - Number(b !== null))
  const cost = facts?.cost ?? null
  return {
    title: facts?.title ?? null,
    outcomes: entries.flatMap(({ event }) => (event.type === 'interaction-ended' ? [event.outcome] : [])),
    threads: threads.map(([, kept]) => kept.flatMap(({ message }) => linesOf(message))),
    tokens: JSON.stringify(facts?.tokens ?? null),
    cost: cost === null ? 'unknown' : cost.toFixed(6),
    times: timesOf(entries, calls.view()),
  }
}

function linesOf({ role, parts }: Message): readonly string[] {
  return parts.flatMap((part): readonly string[] => {
    if (part.type === 'text') return [`${role}: ${part.text}`]
    if (part.type === 'reasoning') return [`thinks: ${part.text}`]
    if (part.type === 'data-subagent') return [`subagent: ${part.data.status}`]
    if (part.type === 'data-notice') return [`notice ${part.data.code}: ${part.data.message}`]
    if (part.type === 'data-unknown') return [`unknown: ${part.data.kind}`]
    if (part.type !== 'dynamic-tool') return []
    const error = 'errorText' in part && part.errorText !== undefined ? `: ${part.errorText}` : ''
    return [`call ${part.toolName} ${JSON.stringify(part.input)} ${part.state}${error}`]
  })
}

function timesOf(
  entries: readonly Entry[],
  calls: ReturnType<ReturnType<typeof createToolCalls>['view']>,
): readonly number[] {
  const marks = entries.filter(
    ({ event }) => event.type === 'interaction-started' || event.type === 'interaction-ended',
  )
  const first = marks[0]?.at ?? 0
  const seconds = (ms: number) => Math.round(ms / 100) / 10
  return [
    ...marks.map(({ at }) => seconds(at - first)),
    ...calls.flatMap(({ start, duration }) => [seconds(start.at - first), seconds(duration ?? 0)]),
  ]
}
