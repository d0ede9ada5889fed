import type { InteractionId, ManipulationId } from './ids.ts'

/** Who makes a context change. Tools are identified with their owner; a model may only propose. */
export type Actor =
  | { readonly kind: 'tool'; readonly owner: string; readonly tool: string }
  | { readonly kind: 'policy'; readonly name: string }
  | { readonly kind: 'person'; readonly name: string }
  | { readonly kind: 'model'; readonly name: string }

/** What a change sets on a part: a validity, or one of the marks "deleted" and "pinned", which can also be removed. */
export type Mark =
  | 'active'
  | 'superseded'
  | 'invalidated'
  | 'archived'
  | 'deleted'
  | 'undeleted'
  | 'pinned'
  | 'unpinned'

/** How a change affects the content that is sent. */
export interface Rendering {
  readonly how: 'keep' | 'annotate' | 'clear'
  /** Which half of a tool pair is cleared; the result by default. */
  readonly what?: 'result' | 'input' | 'both'
  /** How many lines at the end of a result stay. */
  readonly keepLast?: number
  /** How many lines at the beginning of a result stay. */
  readonly keepFirst?: number
  /** When it applies: before the content is first sent, when the cache has expired anyway, when the window fills up, or at the next request. */
  readonly moment: 'insertion' | 'boundary' | 'pressure' | 'now'
}

/** Whether and when a context change reaches the agent's model. */
export type Effectiveness = 'applied' | 'next-boundary' | 'advisory'

/** A requested change to parts of the history. */
export interface Proposal {
  readonly actor: Actor
  /** The rule that caused it: `covered`, `duplicate`, `cold`, a person's `restore` … */
  readonly strategy: string
  /** Every interaction that it affects. */
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
  /** Set if a person chose whole interactions. */
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
      /** The number of lines that stay at its start and its end. */
      readonly keepFirst?: number
      readonly keepLast?: number
    }
  | { readonly as: 'annotated'; readonly rule: string; readonly step: number; readonly text: string }
  | {
      readonly as: 'omitted'
      readonly rule: string
      readonly step: number
      /** Only for thinking: a short hash of what the model was sent before it. */
      readonly before?: string
    }

/** Lines of a part that are identical in another part, both counted from 0. */
export interface Span {
  readonly from: number
  readonly lines: number
  readonly source: string
  readonly sourceFrom: number
}

/** A decision that changed in a request. Null means that the part is included unchanged again. */
export interface DecisionChange {
  readonly part: string
  readonly decision: Decision | null
  /** The tokens of the whole part, and of the part as it is sent. */
  readonly tokens?: { readonly before: number; readonly after: number }
}
