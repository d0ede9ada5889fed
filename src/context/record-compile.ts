import type { EventOf } from '../protocol/event.ts'
import type { InteractionId, ManipulationId } from '../protocol/ids.ts'
import type { Effectiveness, Mark } from '../protocol/manipulation.ts'
import type { History } from './history.ts'
import { markOf } from './ledger.ts'
import type { Decision, Manifest } from './manifest.ts'
import { recallId } from './placeholder.ts'

/** What each rule of the compiler does to a part, and the reason that people see. */
const rules: Readonly<Record<string, { readonly to: Mark | null; readonly reason: string }>> = {
  duplicate: { to: null, reason: 'the same lines are sent elsewhere' },
  cold: { to: 'archived', reason: 'old result, cache expired' },
  unused: { to: 'archived', reason: 'large and unused for a long time' },
  pressure: { to: 'archived', reason: 'context window full' },
  thinking: { to: null, reason: 'thinking is only valid if nothing before it changed' },
}

/** A stable id for the work of a rule in a request; a repeated answer to the same step gets another id. */
const manipulationOf = ({ step, lastMessage }: Manifest, rule: string): ManipulationId =>
  `request-${step}.${recallId(lastMessage ?? '')}.${rule}` as ManipulationId

/** The events that record a compilation: what the model was sent, and the work of each rule, so that it can be rolled back. */
export function recordCompile(
  history: History,
  manifest: Manifest,
  interaction: InteractionId | null,
  effective: Effectiveness,
): readonly EventOf<'context-compiled' | 'manipulation-applied'>[] {
  const { policy, step, at, messages, lastMessage, changes, tokens } = manifest
  const { keptMessages, isPrefixKept, isCold } = manifest
  const request = { policy, step, at, messages, lastMessage, changes, tokens }
  return [
    { type: 'context-compiled', interaction, ...request, keptMessages, isPrefixKept, isCold },
    ...Object.keys(rules).flatMap(rule => workOf(history, manifest, rule, effective)),
  ]
}

function workOf(
  history: History,
  manifest: Manifest,
  rule: string,
  effective: Effectiveness,
): readonly EventOf<'manipulation-applied'>[] {
  const { step, policy, changes } = manifest
  const done = new Map(
    changes.flatMap(({ part, decision, tokens }) =>
      decision?.rule === rule && decision.step === step ? [[part, tokens]] : [],
    ),
  )
  const effect = rules[rule]
  if (done.size === 0 || effect === undefined) return []
  const targets = history.messages.flatMap(({ message, interaction, names }) =>
    message.parts.flatMap((part, at) =>
      done.has(part.id) ? [{ part, interaction, name: names?.[at] ?? null }] : [],
    ),
  )
  const hasCalls = targets.some(({ part }) => part.kind === 'call')
  return [
    {
      type: 'manipulation-applied',
      manipulation: manipulationOf(manifest, rule),
      actor: { kind: 'policy', name: policy },
      strategy: rule,
      interactions: [...new Set(targets.map(({ interaction }) => interaction as InteractionId))],
      parts: targets.map(({ part }) => part.id),
      to: effect.to,
      rendering: { how: 'clear', moment: 'now', ...(hasCalls && { what: 'both' }) },
      reason: effect.reason,
      trigger: null,
      replacedBy: null,
      causedBy: null,
      before: targets.map(({ part: { id }, interaction, name }) => ({
        part: id,
        was: markOf(history.ledger.standingOf({ id, interaction, name })),
      })),
      tokens: Array.from(done.values(), saved => (saved ? saved.before - saved.after : 0)).reduce(
        (sum, each) => sum + each,
        0,
      ),
      effective,
    },
  ]
}

/** The manifest of a request, from the one before and its event, so that every request can be looked up. */
export function manifestAfter(previous: Manifest | null, compiled: EventOf<'context-compiled'>): Manifest {
  const { type: _, interaction: __, ...event } = compiled
  const decisions = new Map<string, Decision>(previous?.decisions)
  for (const { part, decision } of event.changes) {
    if (decision === null) decisions.delete(part)
    else decisions.set(part, decision)
  }
  return { ...event, decisions }
}
