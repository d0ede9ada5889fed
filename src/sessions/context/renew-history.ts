import type { Agent, HistoryEdit, OpenHistory, OwnHistory } from '../../agents/agent.ts'
import {
  compile,
  recordCompile,
  type Decision,
  type History,
  type Manifest,
  type Policy,
} from '../../context/index.ts'
import type { Json } from '../../protocol/json.ts'
import type { LiveSession } from '../live-session.ts'
import { sentence } from '../sentence.ts'
import { policyOf, usualWindow } from './advise.ts'
import { effectivenessFor } from './effectiveness.ts'
import { createHistoryReader } from './history-reader.ts'
import { createJudge, stepOf } from './judge.ts'
import { onlyResults } from './only-results.ts'

/** A longer session is not read to pick it up again. */
const mostEntries = 1_000_000

/**
 * Before an agent picks its own session up again, has its history hold what the session's policy sends, and puts into the
 * journal what that is. Whatever is in the way, the agent goes on with its history as it is: then it says why.
 */
export async function renewHistory(
  live: LiveSession,
  agent: Agent,
  agentSession: string,
  options: Json,
): Promise<string | null> {
  const policy = policyOf(options, live.host.context)
  const { ownHistory } = agent
  if (ownHistory === undefined || policy.name === 'off') return null
  const leftAlone = (why: string) => `The history of ${agent.title} was left as it is: ${why}`
  if (live.line.state.summary.seq > mostEntries) return leftAlone('the session is too long.')
  try {
    const history = await ownHistory.open({ agentSession, dataFolder: live.host.dataFolder })
    await renew(live, { agent, ownHistory, history, policy })
    return null
  } catch (error) {
    return leftAlone(sentence(error))
  }
}

interface Renewal {
  readonly agent: Agent
  readonly ownHistory: OwnHistory
  readonly history: OpenHistory
  readonly policy: Policy
}

async function renew(live: LiveSession, { agent, ownHistory, history: own, policy }: Renewal): Promise<void> {
  const { host, line } = live
  const at = host.now()
  const effective = effectivenessFor(agent)
  const reader = createHistoryReader(live)
  const read = await reader.readOn()
  const judged = policy.rules ? await createJudge(live, reader, effective)(read, policy, at) : read
  const history = { ...judged, ledger: onlyResults(judged, own.calls) }
  const held = heldBy(own, history, reader.manifest, at)
  const thinking = ownHistory.thinking(line.state.summary.model)
  const step = stepOf(history)
  const target = { step, at, window: usualWindow, fixedTokens: 0, thinking, boundary: true }
  // What its model was sent once cannot be sent for the first time.
  const { manifest } = compile(history, target, { ...policy, deduplicate: false }, held)
  const told = withoutRecall(manifest)
  // Even when nothing is to be changed: what was written and never recorded, because the server died, is put back.
  await own.write(editsOf(history, told), thoughtsIn(history, told))
  if (told.decisions.size === 0 && told.changes.length === 0) return
  const interaction = line.state.summary.running?.interaction ?? null
  await live.keep(() => recordCompile(judged, told, interaction, effective))
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
    as === 'omitted' ? thoughts.has(part) : as !== 'reference' && canBe.has(part)
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
          text: decision.text.replace(/ If needed, recall \w+\.\]$/, ' If needed, do it again.]'),
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
function editsOf({ messages }: History, { decisions }: Manifest): readonly HistoryEdit[] {
  return messages.flatMap(({ message }) =>
    message.parts.flatMap((part): readonly HistoryEdit[] => {
      const decision = decisions.get(part.id)
      if (part.kind !== 'result' || decision === undefined || !('text' in decision)) return []
      const { text } = decision
      if (decision.as === 'annotated')
        return [{ call: part.call, text, how: 'append', keepFirst: 0, keepLast: 0 }]
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
