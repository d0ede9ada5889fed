import type { InteractionId, ManipulationId } from './ids.ts'

/** Who makes a context change. Tools are identified with their owner; a model may only propose. */
export type Actor =
  | { readonly kind: 'tool'; readonly owner: string; readonly tool: string }
  | { readonly kind: 'policy'; readonly name: string }
  | { readonly kind: 'person'; readonly name: string }
  | { readonly kind: 'model'; readonly name: string }

/** What a part can be made: a validity, or one of the two marks beside it set or taken away. */
export type Mark =
  | 'active'
  | 'superseded'
  | 'invalidated'
  | 'archived'
  | 'deleted'
  | 'undeleted'
  | 'pinned'
  | 'unpinned'

/** What a change does to the words that are sent. */
export interface Rendering {
  readonly how: 'keep' | 'annotate' | 'clear'
  /** Which half of a tool pair is cleared; the result by default. */
  readonly what?: 'result' | 'input' | 'both'
  /** How many lines at the end of a result stay. */
  readonly keepLast?: number
  /** How many lines at the beginning of a result stay. */
  readonly keepFirst?: number
  /** When: before it is first sent, when the cache is cold anyway, when the window fills, or at the next request. */
  readonly moment: 'insertion' | 'boundary' | 'pressure' | 'now'
}

/** How much a change of the context reaches the model of this agent. */
export type Effectiveness = 'applied' | 'next-boundary' | 'advisory'

/** A requested change to parts of the history. */
export interface Proposal {
  readonly actor: Actor
  /** The rule behind it: `covered`, `duplicate`, `cold`, a person's `restore` … */
  readonly strategy: string
  /** Every interaction that is reached. */
  readonly interactions: readonly InteractionId[]
  readonly parts: readonly string[]
  /** Null changes only the request, not the validity. */
  readonly to: Mark | null
  readonly rendering: Rendering
  readonly reason: string
  /** The part that caused it, and the part with the content that is no longer sent. */
  readonly trigger: string | null
  readonly replacedBy: string | null
  /** The manipulation that this one follows from. */
  readonly causedBy: ManipulationId | null
  /** Set where a person meant its interactions as wholes. */
  readonly whole?: true
}

/** Why a proposal was refused. */
export type Refusal =
  | 'model-may-only-propose'
  | 'no-targets'
  | 'unknown-part'
  | 'outside-interaction'
  | 'foreign-owner'
  | 'persons-words'
  | 'instructions'
  | 'pinned'
  | 'no-result'
  | 'recent'
  | 'not-allowed'
  | 'too-deep'
  | 'strategy-failed'
  | 'strategy-too-slow'
  | 'strategy-malformed'

/** What a part of the history became in a request; parts without an entry were included unchanged. */
export type Decision =
  | {
      /** Some of its lines are sent as references to identical lines. */
      readonly as: 'reference'
      readonly rule: string
      readonly step: number
      readonly spans: readonly Span[]
    }
  | {
      readonly as: 'placeholder'
      readonly rule: string
      readonly step: number
      readonly text: string
      /** Lines of it that stay, at its beginning and its end. */
      readonly keepFirst?: number
      readonly keepLast?: number
    }
  | { readonly as: 'annotated'; readonly rule: string; readonly step: number; readonly text: string }
  | {
      readonly as: 'omitted'
      readonly rule: string
      readonly step: number
      /** Of thinking: a short name for the words that its model was sent before it. */
      readonly before?: string
    }

/** Lines of a part that are identical in another part, both counted from 0. */
export interface Span {
  readonly from: number
  readonly lines: number
  readonly source: string
  readonly sourceFrom: number
}

/** A decision that is new in a request: null is back to included whole. */
export interface DecisionChange {
  readonly part: string
  readonly decision: Decision | null
  /** How many tokens the part has whole, and as it is sent. */
  readonly tokens?: { readonly before: number; readonly after: number }
}
