import type { AuditRow } from '../../catalogue/list-manipulations.ts'
import type { RequestRow } from '../../catalogue/list-context.ts'
import type { Manipulation } from '../../context/index.ts'
import { recallId } from '../../context/placeholder.ts'
import { DragomanError } from '../../protocol/error.ts'
import type { Decision, Effectiveness } from '../../protocol/manipulation.ts'
import { optionsOf } from '../view/session-agent.ts'
import type { SessionView } from '../view/session-view.ts'
import { advise, policyOf, type Advice } from './advise.ts'
import { effectivenessFor, effectSentence } from './effectiveness.ts'
import { readAudit } from './read-ledger.ts'
import { wholeName } from './read-parts.ts'
import { readWindow } from './read-window.ts'
import { recallPart, recallIn, type Recalled } from './recall-part.ts'

/** Which part of a context to read. */
export interface ContextFilter {
  /** The request with this number; the last one by default. */
  readonly step?: number
  /** Only this part, with its original. */
  readonly part?: string
  readonly cursor?: string
  readonly limit: number
}

/** A part that is not sent in its original form. */
export interface ContextPart {
  readonly part: string
  /** The short id in its placeholder. */
  readonly recall: string
  readonly as: Decision['as']
  readonly rule: string
  readonly why: string
  /** What to roll back so that it is sent in full again; null when only the compile record has it. */
  readonly manipulation: string | null
  /** The first request that it applies to. */
  readonly step: number
  readonly tokens: Tokens | null
  /** The text that replaces it, if there is one text. */
  readonly text: string | null
  /** The parts with the lines that are not sent twice. */
  readonly sources: readonly string[]
}

interface Tokens {
  readonly before: number
  readonly after: number
}

/** What a model is sent, and how much was saved. */
export interface ContextView {
  readonly agent: string
  readonly effective: Effectiveness
  readonly explanation: string
  /** `sent`: what a model was really sent. `advisory`: no request was built here; what would be sent now. */
  readonly source: 'sent' | 'advisory'
  readonly policy: string
  readonly request: Omit<RequestRow, 'seq' | 'policy'> & { readonly seq: number | null }
  /** How many messages it covers, and how many older ones an advisory one did not read. */
  readonly covered: { readonly messages: number; readonly earlier: number }
  readonly parts: readonly ContextPart[]
  readonly total: number
  readonly next: string | null
  /** Over all requests of the session. Text that was added does not count as a saving. */
  readonly saved: Tokens & { readonly requests: number; readonly tokens: number }
  readonly recalled: Recalled | null
  readonly asOf: number
}

/** Reads what a model was sent and how much was saved; an advice when no request was built here. */
export async function contextOf(view: SessionView, filter: ContextFilter): Promise<ContextView> {
  const { host, record } = view
  const { seq: asOf, agent } = record.state.summary
  await record.settled()
  const effective = effectivenessFor(host.agents.get(agent))
  const about = { agent, effective, explanation: effectSentence[effective] }
  const [request, totals] = await Promise.all([
    host.catalogue.contextRequest(record.session, filter.step),
    host.catalogue.contextTotals(record.session),
  ])
  const saved = { ...totals, tokens: Math.max(0, totals.before - totals.after) }
  if (request !== undefined) return { ...about, ...(await sentIn(view, request, filter)), saved, asOf }
  if (filter.step !== undefined)
    throw new DragomanError('unknown-request', `Session ${record.session} has no request ${filter.step}.`)
  return { ...about, ...(await advised(view, filter)), saved, asOf }
}

type Shown = Omit<ContextView, 'agent' | 'effective' | 'explanation' | 'saved' | 'asOf'>

async function sentIn(view: SessionView, request: RequestRow, filter: ContextFilter): Promise<Shown> {
  const { catalogue } = view.host
  const { session } = view.record
  const { policy, ...facts } = request
  const part = filter.part === undefined ? null : await wholeName(view, filter.part)
  const { cursor, limit } = filter
  const page = await catalogue.contextDecisions(session, {
    asOf: request.seq,
    limit,
    ...(part !== null && { part }),
    ...(cursor !== undefined && { cursor }),
  })
  const done = await catalogue.manipulationsOf(
    session,
    page.decisions.map(each => each.part),
  )
  const find = finderIn(done)
  return {
    source: 'sent',
    policy,
    request: facts,
    covered: { messages: request.messages, earlier: 0 },
    parts: page.decisions.map(each => shownPart(each.part, each.decision, each.tokens, find)),
    total: page.total,
    next: page.next,
    recalled: part === null ? null : await recallPart(view, part),
  }
}

interface Cause {
  readonly id: string | null
  readonly reason: string
}

type Find = (part: string, rule: string) => Cause | null

/** The change behind a decision: the last one for the part by the rule that the decision names. */
function finderIn(rows: readonly AuditRow[]): Find {
  return (part, rule) => {
    const row = rows.findLast(({ event }) => {
      if (event.type !== 'manipulation-applied' || !event.parts.includes(part)) return false
      return event.strategy === rule || (rule === 'deleted' && event.to === 'deleted')
    })
    return row?.event.type === 'manipulation-applied'
      ? { id: row.event.manipulation, reason: row.event.reason }
      : null
  }
}

function shownPart(part: string, decision: Decision, tokens: Tokens | null, find: Find): ContextPart {
  const { as, rule, step } = decision
  const cause = find(part, rule)
  return {
    part,
    recall: recallId(part),
    as,
    rule,
    why: cause?.reason ?? rule,
    // Thinking is restored with the text before it: it has no change to roll back.
    manipulation: rule === 'thinking' ? null : (cause?.id ?? null),
    step,
    tokens,
    text: decision.as === 'placeholder' || decision.as === 'annotated' ? decision.text : null,
    sources: decision.as === 'reference' ? [...new Set(decision.spans.map(({ source }) => source))] : [],
  }
}

/** What would be sent, from the end of the conversation. Nothing is saved. */
async function advised(view: SessionView, filter: ContextFilter): Promise<Shown> {
  const { host } = view
  const window = await readWindow(view)
  const policy = policyOf(await optionsOf(view), view.host.context)
  const advice = advise(window.history, await readAudit(view, { after: 0 }), {
    policy,
    at: host.now(),
    newId: host.newId,
    strategies: host.strategies.strategies,
  })
  const { manifest } = advice
  const { decisions: _, changes, policy: name, ...facts } = manifest
  const part = filter.part === undefined ? null : recallIn(advice.history, filter.part)
  const all = partsOf(advice).filter(each => filter.part === undefined || each.part === part?.part)
  const from = Number(/^0\.(\d{1,9})$/.exec(filter.cursor ?? '')?.[1] ?? all.length)
  const first = Math.max(0, from - filter.limit)
  return {
    source: 'advisory',
    policy: name,
    request: { ...facts, interaction: null, seq: null, changed: changes.length },
    covered: { messages: window.messages, earlier: window.earlier },
    parts: all.slice(first, from),
    total: all.length,
    next: first > 0 ? `0.${first}` : null,
    recalled: filter.part === undefined ? null : (part ?? (await recallPart(view, filter.part))),
  }
}

/** Saved changes can be rolled back; advised ones cannot. */
function partsOf({ manifest, history: { ledger }, manipulations }: Advice): readonly ContextPart[] {
  const tokens = new Map(manifest.changes.map(change => [change.part, change.tokens ?? null]))
  const would = new Set(manipulations.flatMap(each => ('manipulation' in each ? [each.manipulation] : [])))
  const done = [...ledger.manipulations.values()].filter(({ id }) => ledger.holds(id) && !would.has(id))
  const find: Find = (part, rule) => {
    const isCause = ({ strategy, to, parts }: Pick<Manipulation, 'strategy' | 'to' | 'parts'>) =>
      parts?.includes(part) === true && (strategy === rule || (rule === 'deleted' && to === 'deleted'))
    const real = done.findLast(isCause)
    return real ?? { id: null, reason: manipulations.findLast(isCause)?.reason ?? rule }
  }
  return Array.from(manifest.decisions, ([part, decision]) =>
    shownPart(part, decision, tokens.get(part) ?? null, find),
  )
}
