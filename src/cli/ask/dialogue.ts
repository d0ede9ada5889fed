import type { Approval } from '../../projections/approvals.ts'
import type { Json } from '../../protocol/json.ts'
import type { Style } from '../terminal/style.ts'

/** A dialogue at the terminal about one approval. */
export interface Dialogue {
  readonly style: Style
  readonly say: (text: string) => void
  /** The line typed after the prompt; null if the terminal is closed or the approval is settled. */
  readonly ask: (prompt: string) => Promise<string | null>
}

/** A person's answer. */
export interface Answer {
  readonly approved: boolean
  readonly reason?: string
  readonly input?: Json
  readonly always?: boolean
}

/** The approval to answer. */
export interface Asked extends Pick<Approval, 'tool' | 'input' | 'earlierInput' | 'rule' | 'ruleReason'> {
  /** Whether the input can be changed, or answers a question. */
  readonly mayChange: boolean
  /** Whether the model reads the reason of a denial. */
  readonly readsReasons: boolean
}
