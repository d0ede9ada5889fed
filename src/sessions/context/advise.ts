import {
  compile,
  createHistoryIndex,
  profiles,
  recordCompile,
  strategiesAfter,
  type BenchOptions,
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

/** What a usual model takes in; nobody knows what an agent with a history of its own has left of it. */
export const usualWindow = 200_000

/** What an advice is made with. */
export interface Advising {
  readonly policy: Policy
  readonly at: number
  readonly newId: NewId
  /** Only what they declare: the functions among them are asked when it counts. */
  readonly strategies: Strategies
}

/** What would be sent if the next request were built here, and why. Nothing of it is saved. */
export interface Advice {
  readonly manifest: Manifest
  readonly history: History
  /** What the rules of the tools and of the policy would do. */
  readonly manipulations: readonly ManipulationEvent[]
}

/** The policy that a session asks for; the usual one where it asks for none that there is. */
export function policyOf(options: Json, usual: ProfileName): Policy {
  const asked =
    typeof options === 'object' && options !== null && 'context' in options ? options['context'] : null
  return profiles[isProfile(asked) ? asked : usual]
}

const isProfile = (name: unknown): name is ProfileName =>
  typeof name === 'string' && Object.hasOwn(profiles, name)

/** Compiles a history as if it were sent now, at a moment when the provider's cache is cold. */
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

/** What the tools' rules find, call by call, each knowing what was found before it. */
function obsolete(
  history: History,
  audit: Fold<Ledger>,
  bench: Pick<BenchOptions, 'strategies' | 'step' | 'newId'>,
): readonly ManipulationEvent[] {
  const options = { ...bench, index: createHistoryIndex() }
  const found: ManipulationEvent[] = []
  for (const { call } of history.messages.flatMap(({ pairs }) => pairs)) {
    const known = { ...history, ledger: audit.view() }
    for (const event of strategiesAfter(known, call, { ...options, effective: 'advisory' })) {
      found.push(event)
      // After all that is saved, and nowhere but here.
      audit.apply({ seq: Number.MAX_SAFE_INTEGER, at: 0, event } as Entry)
    }
  }
  return found
}
