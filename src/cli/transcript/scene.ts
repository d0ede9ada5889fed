import type { Thread } from '../../protocol/chunk.ts'
import type { Json } from '../../protocol/json.ts'
import type { Style } from '../terminal/style.ts'
import type { Page } from './page.ts'

/** The state that is needed to show the next entry. */
export interface Scene {
  readonly page: Page
  readonly style: Style
  /** The maximum width of a line. */
  readonly columns: number
  /** The depth of each thread: 1 for a subagent of the main conversation. */
  readonly depths: Map<Thread, number>
  /** The tool calls that have not ended. */
  readonly calls: Map<string, CallFacts>
  /** The text of each thread's current message. */
  readonly words: Map<string, Words>
  /** The last reported status of each subagent. */
  readonly subagents: Map<string, string>
  /** The subject of each pending approval. */
  readonly asked: Map<string, Asked>
  /** The last failure shown, so that it is not shown twice. */
  failure: string | null
  /** When the running interaction started; null when none runs. */
  startedAt: number | null
  /** The end of the agent's log in this interaction. */
  log: string
}

/** The facts of a tool call on its card. */
export interface CallFacts {
  readonly tool: string
  readonly title: string | undefined
  readonly input: Json
}

/** An approval: permission to run a tool, or a question to the user. */
export interface Asked {
  readonly tool: string
  readonly isQuestion: boolean
}

/** Text or thinking while it streams. */
export interface Words {
  readonly speaker: string
  readonly thinking: boolean
  /** Its beginning, to show if it is retracted. */
  beginning: string
  /** What is not shown yet: half a character, or a subagent's unfinished line. */
  held: string
}

/** The state before the first entry. */
export const createScene = (page: Page, style: Style, columns: number): Scene => ({
  page,
  style,
  columns: Math.min(columns, widest),
  depths: new Map([[null, 0]]),
  calls: new Map(),
  words: new Map(),
  subagents: new Map(),
  asked: new Map(),
  failure: null,
  startedAt: null,
  log: '',
})

const widest = 160

/** The depth of a thread. */
export const depthOf = ({ depths }: Scene, thread: Thread): number => depths.get(thread) ?? 1
