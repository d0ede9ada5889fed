import type { Proposal, Rendering } from '../protocol/manipulation.ts'
import type { Part } from './formats/conversation.ts'
import type { ToolPair } from './history.ts'
import type { Manipulation } from './ledger.ts'
import type { Decision } from './manifest.ts'
import { annotationOf, briefly, placeholderOf } from './placeholder.ts'
import { renderPart, tokensWith } from './render-part.ts'
import { tokensOf } from './tokens.ts'

/** A part that is changed, and the tool pair that it is one half of. */
interface Subject {
  readonly part: Part
  readonly pair: { readonly pair: ToolPair } | null
}

/** The fields of a manipulation that decide how its parts are sent. */
type Saying = Pick<Manipulation, 'actor' | 'strategy' | 'rendering' | 'reason' | 'parts'>

/** The number of the request, and the tokens of the part without a decision. */
interface Otherwise {
  readonly step: number
  readonly tokens: number
}

/** No other part is needed to render a placeholder. */
const alone = { places: new Map<string, never>() }

/** The decision about a part that is no longer valid; null leaves it as it is. */
export function decisionOf(subject: Subject, saying: Saying, otherwise: Otherwise): Decision | null {
  const { strategy: rule, rendering, reason, parts } = saying
  const { pair, part } = subject
  const { step } = otherwise
  if (rendering.how === 'keep') return null
  if (pair === null || parts === null) return rendering.how === 'clear' ? { as: 'omitted', rule, step } : null
  if (rendering.how === 'annotate')
    return part.kind === 'result' ? { as: 'annotated', rule, step, text: annotationOf(reason) } : null
  if (!isMeant(rendering, part.kind)) return null
  const { keepFirst, keepLast } = rendering
  const decision: Decision = {
    as: 'placeholder',
    rule,
    step,
    text: placeholderOf(pair, reason, part.id),
    ...(keepFirst !== undefined && part.kind === 'result' && { keepFirst }),
    ...(keepLast !== undefined && part.kind === 'result' && { keepLast }),
  }
  if (tokensWith(alone, part, decision) < otherwise.tokens) return decision
  // A rule never replaces a part with something larger. A person's change takes effect whatever it costs.
  return saying.actor.kind === 'person' ? inBrief(part, rule, step) : null
}

/** How many tokens a proposal saves; below 0 where a person's change takes more. */
export function savingOf(subject: Subject, proposal: Proposal): number {
  const { part } = subject
  const tokens = tokensOf(part)
  if (proposal.to === 'deleted') return tokens
  const decision = decisionOf(subject, proposal, { step: 0, tokens })
  return decision?.as === 'annotated' ? 0 : tokens - tokensWith(alone, part, decision)
}

/** The shortest placeholder of a part; null if nothing would be cleared, as for an input with short fields only. */
function inBrief(part: Part, rule: string, step: number): Decision | null {
  const decision: Decision = { as: 'placeholder', rule, step, text: briefly(part.id) }
  return renderPart(alone, part, decision) === part ? null : decision
}

function isMeant({ what = 'result' }: Rendering, kind: Part['kind']): boolean {
  return what === 'both' || (what === 'result' ? kind === 'result' : kind === 'call')
}
