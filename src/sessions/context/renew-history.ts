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
import { errorMessage } from '../../protocol/error.ts'
import type { Json } from '../../protocol/json.ts'
import type { OwnedSession } from '../own/owned-session.ts'
import { policyOf, usualWindow } from './advise.ts'
import { effectivenessFor } from './effectiveness.ts'
import { createHistoryReader, type HistoryReader } from './history-reader.ts'
import { createJudge, stepOf, type Judge } from './judge.ts'
import { onlyResults } from './only-results.ts'

/** A longer session is not read when its agent resumes. */
const mostEntries = 1_000_000

/** How long a request may wait until the journal has the results that it needs. */
const waitMs = 1000

/** Changes an agent's own history as the session's policy demands, and saves what was changed. */
export interface HistoryKeeper {
  /** Called before the agent resumes its own session. On a failure the agent continues with its history unchanged, and this returns the reason. */
  atBoundary(agentSession: string): Promise<string | null>
  /** Called before each request, for an agent that asks. The results of these calls must be in the journal, too. */
  beforeRequest(
    agentSession: string,
    calls: readonly string[],
    flushed: () => Promise<void>,
  ): Promise<string | null>
}

/** Creates the keeper of one agent's history in one session. */
export function createHistoryKeeper(owned: OwnedSession, agent: Agent, options: Json): HistoryKeeper {
  const policy = policyOf(options, owned.host.context)
  const { ownHistory } = agent
  const reader = createHistoryReader(owned)
  const judge = createJudge(owned, reader, effectivenessFor(agent))
  const lost = new Set<string>()
  const attempt = async (agentSession: string, moment: Moment) => {
    if (ownHistory === undefined || policy.name === 'off') return null
    const leftAlone = (why: string) => `The history of ${agent.title} was not changed: ${why}`
    if (owned.writer.state.summary.seq > mostEntries) return leftAlone('the session is too long.')
    try {
      const history = await ownHistory.open({ agentSession, dataFolder: owned.host.dataFolder })
      await renew(owned, { agent, ownHistory, history, policy, reader, judge, moment })
      return null
    } catch (error) {
      return leftAlone(errorMessage(error))
    }
  }
  // One after the other: each starts from what the previous one sent.
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

/** Waits until the journal has the results of some calls. A result that does not come in time is not waited for again. */
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
    const known = new Set(
      messages.flatMap(({ message }) =>
        message.parts.flatMap(part => (part.kind === 'result' ? [part.call] : [])),
      ),
    )
    const missing = calls.filter(call => !known.has(call) && !lost.has(call))
    if (missing.length === 0) return
    if (performance.now() > until) return missing.forEach(call => lost.add(call))
    await sleep(20)
  }
}

/** At a boundary everything was sent once and nothing is cached. Before a request, new parts were never sent. */
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
  const { host, writer } = owned
  const at = host.now()
  const effective = effectivenessFor(agent)
  const read = await reader.readOn()
  const judged = policy.rules ? await judge(read, policy, at) : read
  const history = { ...judged, ledger: onlyResults(judged, own.calls) }
  const boundary = moment === 'boundary'
  const held = boundary ? heldBy(own, history, reader.manifest, at) : reader.manifest
  const thinking = ownHistory.thinking(writer.state.summary.model)
  const step = stepOf(history)
  const target = { step, at, window: usualWindow, fixedTokens: 0, thinking, boundary, onlyResults: true }
  // Parts that the model was already sent are not new.
  const { manifest, conversation } = compile(
    history,
    target,
    boundary ? { ...policy, deduplicate: false } : policy,
    held,
  )
  const sent = withoutRecall(manifest)
  // Also without changes: edits that were written but not saved, because the server crashed, are reverted.
  await own.write(editsOf(conversation, sent), thoughtsIn(history, sent))
  const isNews = sent.decisions.size > 0 || sent.changes.length > 0
  const interaction = writer.state.summary.running?.interaction ?? null
  const entries = isNews
    ? await owned.writer.appendUntilSaved(() => recordCompile(judged, sent, interaction, effective))
    : []
  reader.keep(manifest, entries.at(-1)?.seq ?? writer.state.summary.seq)
}

/** What the agent's model was sent so far: everything, except for earlier changes of the agent's history. */
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

/** Such an agent has no tool to read a cleared result again: it repeats the call. */
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

/** The edit of each result, by the agent's own id for its call. */
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

/** The texts of thinking that is no longer sent. */
const thoughtsIn = ({ messages }: History, { decisions }: Manifest): readonly string[] =>
  messages.flatMap(({ message }) =>
    message.parts.flatMap(part => (part.kind === 'reasoning' && decisions.has(part.id) ? [part.text] : [])),
  )
