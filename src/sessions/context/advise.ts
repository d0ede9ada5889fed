import {
  compile,
  createHistoryIndex,
  profiles,
  recordCompile,
  strategiesAfter,
  type ChangeBatchOptions,
  type History,
  type Ledger,
  type Manifest,
  type ManipulationEvent,
  type Policy,
  type Strategies,
  type ProfileName,
} from '../../context/index.ts'
import type { Fold } from '../../projections/fold.ts'
import type { Entry } from '../../protocol/entry.ts'
import type { NewId } from '../../protocol/ids.ts'
import type { Json } from '../../protocol/json.ts'

/** A typical context window. How much an agent with its own history has left is unknown. */
export const usualWindow = 200_000

/** The inputs of an advice. */
export interface Advising {
  readonly policy: Policy
  readonly at: number
  readonly newId: NewId
  /** Only their declarations: custom functions are called only for real requests. */
  readonly strategies: Strategies
}

/** What would be sent if the next request were built here, and why. Nothing is saved. */
export interface Advice {
  readonly manifest: Manifest
  readonly history: History
  /** The changes that the rules of the tools and of the policy would make. */
  readonly manipulations: readonly ManipulationEvent[]
}

/** The policy that a session asks for; the default one when it asks for none, or for an unknown one. */
export function policyOf(options: Json, usual: ProfileName): Policy {
  const asked =
    typeof options === 'object' && options !== null && 'context' in options ? options['context'] : null
  return profiles[isProfile(asked) ? asked : usual]
}

const isProfile = (name: unknown): name is ProfileName =>
  typeof name === 'string' && Object.hasOwn(profiles, name)

/** Compiles a history as if it were sent now, with a cold provider cache. */
export function advise(
  history: History,
  audit: Fold<Ledger>,
  { policy, at, newId, strategies }: Advising,
): Advice {
  const step = Math.max(0, ...history.messages.map(each => each.step)) + 1
  const found = policy.rules ? obsolete(history, audit, { strategies, step, newId }) : []
  const managed = { ...history, ledger: audit.view() }
  const target = { step, at, window: usualWindow, fixedTokens: 0, thinking: 'free', boundary: true } as const
  const { manifest } = compile(managed, target, policy, null)
  const own = recordCompile(managed, manifest, null, 'advisory').flatMap(event =>
    event.type === 'manipulation-applied' ? [event] : [],
  )
  return { manifest, history: managed, manipulations: [...found, ...own] }
}

/** Runs the tools' rules call by call, each with the findings of the earlier calls. */
function obsolete(
  history: History,
  audit: Fold<Ledger>,
  batch: Pick<ChangeBatchOptions, 'strategies' | 'step' | 'newId'>,
): readonly ManipulationEvent[] {
  const options = { ...batch, index: createHistoryIndex() }
  const found: ManipulationEvent[] = []
  for (const { call } of history.messages.flatMap(({ pairs }) => pairs)) {
    const known = { ...history, ledger: audit.view() }
    for (const event of strategiesAfter(known, call, { ...options, effective: 'advisory' })) {
      found.push(event)
      // A number after all saved entries; it exists only here.
      audit.apply({ seq: Number.MAX_SAFE_INTEGER, at: 0, event } as Entry)
    }
  }
  return found
}
