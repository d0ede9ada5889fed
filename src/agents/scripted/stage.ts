import type { Json } from '../../protocol/json.ts'
import type { AgentLine } from './messages.ts'

/** A person's answer, as the agent gets it. */
export interface Reply {
  readonly approved: boolean
  readonly reason: string | null
  readonly input?: Json
  readonly always: boolean
}

/** The surroundings of a scripted agent: its output, its clock, and the person. Waiting ends when it is interrupted. */
export interface Stage {
  /** Writes a line. */
  writeLine(line: AgentLine): Promise<void>
  /** Writes bytes that need not be a line. */
  write(bytes: Uint8Array): Promise<void>
  log(text: string): void
  /** Pauses, multiplied by the host's factor. Rejects when interrupted. */
  pause(milliseconds: number): Promise<void>
  /** Waits for a person's answer. Rejects when interrupted. */
  answer(approval: string): Promise<Reply>
  /** Waits until it is interrupted, and then rejects. */
  hang(): Promise<never>
  crash(code: number): Promise<never>
  /** A new id. */
  newName(kind: string): string
  /** Tools that are always allowed. */
  readonly allowed: Set<string>
  /** Lines that it writes only after the answer. */
  readonly late: AgentLine[]
  readonly tally: Tally
}

/** The usage of an answer so far. The numbers are plausible, but made up. */
export interface Tally {
  /** Counts output of the model. */
  wrote(text: string): void
  /** Counts a request to the model. */
  asked(): void
  sum(): Pick<Extract<AgentLine, { readonly type: 'step-end' }>, 'tokens' | 'cost'>
}

const charactersPerToken = 4
const basics = 1_200
const price = { input: 3e-6, output: 15e-6, cacheRead: 0.3e-6 }

/** Starts counting for an answer to a prompt of some length. */
export function createTally(promptLength: number): Tally {
  let characters = 0
  let requests = 0
  const prompt = Math.ceil(promptLength / charactersPerToken)
  return {
    wrote(text) {
      characters += text.length
    },
    asked() {
      requests += 1
    },
    sum() {
      const output = Math.ceil(characters / charactersPerToken)
      const tokens = { input: prompt + requests * 40, output, cacheRead: requests * basics, cacheWrite: 0 }
      const { input, cacheRead } = tokens
      const cost = input * price.input + output * price.output + cacheRead * price.cacheRead
      return { tokens, cost: Number(cost.toFixed(6)) }
    },
  }
}
