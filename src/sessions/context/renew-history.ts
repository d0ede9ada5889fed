import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent, HistoryEdit, OpenHistory, OwnHistory } from '../../agents/agent.ts'
import type { Conversation } from '../../context/formats/conversation.ts'
import { textsOf } from '../../context/part-texts.ts'
import {
  compile,
  recordCompile,
  type Decision,
  type History,
  type Manifest,
  type Policy,
} from '../../context/index.ts'
import type { Json } from '../../protocol/json.ts'
import type { OwnedSession } from '../own/owned-session.ts'
import { sentence } from '../sentence.ts'
import { policyOf, usualWindow } from './advise.ts'
import { effectivenessFor } from './effectiveness.ts'
import { createHistoryReader, type HistoryReader } from './history-reader.ts'
import { createJudge, stepOf, type Judge } from './judge.ts'
import { onlyResults } from './only-results.ts'

/** A longer session is not read to pick it up again. */
const mostEntries = 1_000_000

/** How long a request may wait for the journal to hold what it is made of. */
const waitMs = 1000

/** Has the history that an agent keeps of a session hold what the session's policy sends, and puts into the journal what that is. */
export interface HistoryKeeper {
  /** Before the agent picks its own session up again. Whatever is in the way, the agent goes on with its history as it is: then this says why. */
  atBoundary(agentSession: string): Promise<string | null>
  /** Before each request, for an agent that asks; what it has heard from these calls must be heard here, too. */
  beforeRequest(
    agentSession: string,
    calls: readonly string[],
    flushed: () => Promise<void>,
  ): Promise<string | null>
}

/** Keeps the history of one agent in one session. */
export function createHistoryKeeper(owned: OwnedSession, agent: Agent, options: Json): HistoryKeeper {
  const policy = policyOf(options, owned.host.context)
  const { ownHistory } = agent
  const reader = createHistoryReader(owned)
  const judge = createJudge(owned, reader, effectivenessFor(agent))
  const lost = new Set<string>()
  const attempt = async (agentSession: string, moment: Moment) => {
    if (ownHistory === undefined || policy.name === 'off') return null
    const leftAlone = (why: string) => `The history of ${agent.title} was not changed: ${why}`
    if (owned.record.state.summary.seq > mostEntries) return leftAlone('the session is too long.')
    try {
      const history = await ownHistory.open({ agentSession, dataFolder: owned.host.dataFolder })
      await renew(owned, { agent, ownHistory, history, policy, reader, judge, moment })
      return null
    } catch (error) {
      return leftAlone(sentence(error))
    }
  }
  // One after the other: each goes on from what the one before sent.
  let last: Promise<unknown> = Promise.resolve()
  return {
    atBoundary: agentSession => attempt(agentSession, 'boundary'),
    beforeRequest(agentSession, calls, flushed) {
      const next = last.then(async () => {
        await hearAll(reader, calls, lost, flushed)
        return attempt(agentSession, 'request')
      })
      last = next.catch(() => null)
      return next
    },
  }
}

/** Waits until the journal holds the results of some calls. One that does not come is not waited for again. */
async function hearAll(
  reader: HistoryReader,
  calls: readonly string[],
  lost: Set<string>,
  flushed: () => Promise<void>,
): Promise<void> {
  const until = performance.now() + waitMs
  for (;;) {
    await flushed()
    const { messages } = await reader.readOn()
    const heard = new Set(
      messages.flatMap(({ message }) =>
        message.parts.flatMap(part => (part.kind === 'result' ? [part.call] : [])),
      ),
    )
    const missing = calls.filter(call => !heard.has(call) && !lost.has(call))
    if (missing.length === 0) return
    if (performance.now() > until) return missing.forEach(call => lost.add(call))
    await sleep(20)
  }
}

/** At a boundary all was sent once, and nothing of it is in a cache; before a request, what is new was never sent. */
type Moment = 'boundary' | 'request'

interface Renewal {
  readonly agent: Agent
  readonly ownHistory: OwnHistory
  readonly history: OpenHistory
  readonly policy: Policy
  readonly reader: HistoryReader
  readonly judge: Judge
  readonly moment: Moment
}

async function renew(owned: OwnedSession, renewal: Renewal): Promise<void> {
  const { agent, ownHistory, history: own, policy, reader, judge, moment } = renewal
  const { host, record } = owned
  const at = host.now()
  const effective = effectivenessFor(agent)
  const read = await reader.readOn()
  const judged = policy.rules ? await judge(read, policy, at) : read
  const history = { ...judged, ledger: onlyResults(judged, own.calls) }
  const boundary = moment === 'boundary'
  const held = boundary ? heldBy(own, history, reader.manifest, at) : reader.manifest
  const thinking = ownHistory.thinking(record.state.summary.model)
  const step = stepOf(history)
  const target = { step, at, window: usualWindow, fixedTokens: 0, thinking, boundary, onlyResults: true }
  // What its model was sent once cannot be sent for the first time.
  const { manifest, conversation } = compile(
    history,
    target,
    boundary ? { ...policy, deduplicate: false } : policy,
    held,
  )
  const told = withoutRecall(manifest)
  // Even when nothing is to be changed: what was written and never recorded, because the server died, is put back.
  await own.write(editsOf(conversation, told), thoughtsIn(history, told))
  const isNews = told.decisions.size > 0 || told.changes.length > 0
  const interaction = record.state.summary.running?.interaction ?? null
  const entries = isNews
    ? await owned.appendUntilSaved(() => recordCompile(judged, told, interaction, effective))
    : []
  reader.keep(manifest, entries.at(-1)?.seq ?? record.state.summary.seq)
}

/** What the agent's model was sent up to now: all that was said, but for what was changed in the agent's history before. */
function heldBy({ calls }: OpenHistory, { messages }: History, last: Manifest | null, at: number): Manifest {
  const parts = messages.flatMap(({ message }) => message.parts)
  const canBe = new Set(
    parts.flatMap(part =>
      part.kind === 'result' && (calls === null || calls.has(part.call)) ? [part.id] : [],
    ),
  )
  const thoughts = new Set(parts.flatMap(part => (part.kind === 'reasoning' ? [part.id] : [])))
  const isHeld = ([part, { as }]: readonly [string, Decision]) =>
    as === 'omitted' ? thoughts.has(part) : canBe.has(part)
  return {
    policy: 'off',
    step: last?.step ?? 0,
    at: last?.at ?? at,
    messages: messages.length,
    lastMessage: messages.at(-1)?.message.id ?? null,
    decisions: new Map([...(last?.decisions ?? [])].filter(isHeld)),
    changes: [],
    tokens: { before: 0, after: 0 },
    keptMessages: 0,
    isPrefixKept: true,
    isCold: true,
  }
}

/** An agent of its own has no tool that gives back what was cleared: it does again what it did. */
function withoutRecall(manifest: Manifest): Manifest {
  const plain = (decision: Decision): Decision =>
    decision.as === 'placeholder'
      ? {
          ...decision,
          text: decision.text
            .replace(/ If needed, recall \w+\.\]$/, ' If needed, do it again.]')
            .replace(/^\[cleared: recall \w+\]$/, '[cleared]'),
        }
      : decision
  return {
    ...manifest,
    decisions: new Map(Array.from(manifest.decisions, ([part, decision]) => [part, plain(decision)])),
    changes: manifest.changes.map(change => ({
      ...change,
      decision: change.decision && plain(change.decision),
    })),
  }
}

/** What becomes of each result, by the agent's own name for its call. */
function editsOf({ messages }: Conversation, { decisions }: Manifest): readonly HistoryEdit[] {
  return messages.flatMap(({ parts }) =>
    parts.flatMap((part): readonly HistoryEdit[] => {
      const decision = decisions.get(part.id)
      if (part.kind !== 'result' || decision === undefined || decision.as === 'omitted') return []
      const whole = { call: part.call, keepFirst: 0, keepLast: 0 }
      if (decision.as === 'reference') return [{ ...whole, text: textsOf(part).join('\n'), how: 'rewrite' }]
      const { as, text } = decision
      if (as === 'annotated') return [{ ...whole, text, how: 'append' }]
      const { keepFirst = 0, keepLast = 0 } = decision
      return [{ call: part.call, text, how: 'replace', keepFirst, keepLast }]
    }),
  )
}

/** The words of the thinking that is not sent any more. */
const thoughtsIn = ({ messages }: History, { decisions }: Manifest): readonly string[] =>
  messages.flatMap(({ message }) =>
    message.parts.flatMap(part => (part.kind === 'reasoning' && decisions.has(part.id) ? [part.text] : [])),
  )
