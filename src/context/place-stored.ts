import type { StoredMessage } from '../projections/stored-message.ts'
import type { Json } from '../protocol/json.ts'
import type { MessagePart } from '../protocol/message.ts'
import { meanwhileIn } from '../protocol/said-meanwhile.ts'
import { placeMessage } from './create-history.ts'
import type { Message, Part, Role } from './formats/conversation.ts'
import { parse } from './formats/ui-messages/parse.ts'
import type { HistoryMessage } from './history.ts'

/** When things happened, in journal time. */
export interface Times {
  /** When a message began, and each of its steps. */
  began(message: string): readonly number[]
  /** When the result of a call came, by message and call. */
  ended(call: string): number | null
}

interface Where {
  /** The number of the request that its first step was. */
  readonly firstStep: number
  readonly cwd: string | null
  readonly times: Times
  /** What it was made into before: what did not change since stays the same object. */
  readonly before: readonly HistoryMessage[]
}

interface Named {
  readonly part: Part
  readonly name: string | null
}

interface Step {
  readonly own: readonly Named[]
  readonly results: readonly Named[]
  /** The messages that a person sent while it was running. */
  readonly meanwhile: readonly Named[]
}

/** Converts a stored message into canonical ones: for each step the text and calls, the results, and what a person sent meanwhile. */
export function placeStored(
  stored: StoredMessage,
  { firstStep, cwd, times, before }: Where,
): { readonly messages: readonly HistoryMessage[]; readonly steps: number } {
  const { message, agent } = stored
  const began = times.began(message.id)
  const steps = stepsOf(stored)
  const messages = steps.flatMap((step, at) => {
    const id = at === 0 ? message.id : `${message.id}#${at}`
    const place = { interaction: stored.interaction ?? '', step: firstStep + at }
    const saidAt = began[at] ?? began.at(-1) ?? 0
    const ends = step.results.flatMap(({ name }) => times.ended(`${message.id} ${name ?? ''}`) ?? [])
    const make = (role: Role, name: string, parts: readonly Named[], more: number, time: number) => {
      if (parts.length === 0) return []
      const canonical: Message = { id: name, role, parts: parts.map(({ part }) => part) }
      const made = placeMessage({ agent, cwd }, canonical, { ...place, step: place.step + more, at: time })
      return [{ ...made, names: parts.map(each => each.name) }]
    }
    return [
      ...make(message.role, id, step.own, 0, saidAt),
      ...make('tool', `${id}:results`, step.results, 1, Math.max(saidAt, ...ends)),
      ...make('user', `${id}:meanwhile`, step.meanwhile, 1, Math.max(saidAt, ...ends)),
    ]
  })
  const made = messages.map((each, at) => same(before[at], each))
  return { messages: made, steps: message.role === 'assistant' ? steps.length : 0 }
}

function stepsOf({ message, partIds }: StoredMessage): readonly Step[] {
  const steps: { own: Named[]; results: Named[]; meanwhile: Named[] }[] = []
  const uniqueId = createUniqueIds()
  for (const [index, part] of message.parts.entries()) {
    if (part.type === 'step-start' || steps.length === 0) steps.push({ own: [], results: [], meanwhile: [] })
    const step = steps.at(-1)
    if (step === undefined || part.type === 'step-start') continue
    const name = part.type === 'dynamic-tool' ? part.toolCallId : (partIds[index] ?? null)
    const place = meanwhileIn(part) === null ? step.own : step.meanwhile
    for (const parsed of partsOf(part, uniqueId(`${message.id}/${name ?? index}`)))
      (parsed.kind === 'result' ? step.results : place).push({ part: parsed, name })
  }
  return steps.filter(({ own, results, meanwhile }) => own.length + results.length + meanwhile.length > 0)
}

/** Agents may number the parts of each step from 0 again. */
function createUniqueIds(): (id: string) => string {
  const used = new Map<string, number>()
  return id => {
    const times = (used.get(id) ?? 0) + 1
    used.set(id, times)
    return times === 1 ? id : `${id}~${times}`
  }
}

/** Parts of messages are never changed, so each is parsed once. */
const parsedBefore = new WeakMap<MessagePart, { readonly id: string; readonly parts: readonly Part[] }>()

function partsOf(part: MessagePart, id: string): readonly Part[] {
  const before = parsedBefore.get(part)
  if (before?.id === id) return before.parts
  const parts = hearPart(part, id)
  parsedBefore.set(part, { id, parts })
  return parts
}

/** The parts for a model; steps and data give none, except messages of a person. */
function hearPart(part: MessagePart, id: string): readonly Part[] {
  const meanwhile = meanwhileIn(part)
  if (meanwhile !== null) return [{ kind: 'text', id, text: meanwhile }]
  if (
    part.type !== 'text' &&
    part.type !== 'reasoning' &&
    part.type !== 'file' &&
    part.type !== 'dynamic-tool'
  )
    return []
  // Agents run their tools themselves; for the model that continues they are ordinary calls with results.
  const { providerExecuted: _, ...words } = part as MessagePart & { readonly providerExecuted?: boolean }
  const parts = parse(words as unknown as Json, { id, role: 'assistant' })
  const [call] = parts
  if (call?.kind !== 'call' || part.type !== 'dynamic-tool' || part.state !== 'output-denied') return parts
  const text = 'This was not allowed.'
  const content = [{ kind: 'text' as const, id: `${id}.result.0`, text }]
  return [
    call,
    { kind: 'result', id: `${id}.result`, call: call.call, tool: call.tool, content, isError: true },
  ]
}

/** The message of before, if nothing in it changed. */
function same(before: HistoryMessage | undefined, now: HistoryMessage): HistoryMessage {
  if (before === undefined || before.at !== now.at || before.step !== now.step) return now
  const [old, next] = [before.message.parts, now.message.parts]
  const isSame = old.length === next.length && old.every((part, at) => part === next[at])
  return isSame && before.interaction === now.interaction ? before : now
}
