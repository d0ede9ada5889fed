import type { Approval } from '../../projections/approvals.ts'
import type { Json } from '../../protocol/json.ts'
import type { Style } from '../terminal/style.ts'

/** A talk with the person at the terminal about one question. */
export interface Dialogue {
  readonly style: Style
  readonly say: (text: string) => void
  /** What was typed after the prompt; null if the terminal is closed, or there is no longer anything to answer. */
  readonly ask: (prompt: string) => Promise<string | null>
}

/** A person's answer. */
export interface Answer {
  readonly approved: boolean
  readonly reason?: string
  readonly input?: Json
  readonly always?: boolean
}

/** What is asked. */
export interface Asked extends Pick<Approval, 'tool' | 'input' | 'earlierInput' | 'rule' | 'ruleReason'> {
  /** Whether it can run with another input, or is a question that one answers. */
  readonly mayChange: boolean
  /** Whether the model reads the reason of a denial. */
  readonly readsReasons: boolean
}
