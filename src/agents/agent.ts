import type { SessionTotals } from '../protocol/data-parts.ts'
import type { Raw } from '../protocol/event.ts'
import type { ApprovalId, ConnectionId, PromptId } from '../protocol/ids.ts'
import type { Json } from '../protocol/json.ts'
import type { Effectiveness } from '../protocol/manipulation.ts'
import type { PromptPart } from '../protocol/message.ts'
import type { Importer } from './importer.ts'
import type { Exit, StartProgram } from './program.ts'
import type { RawMessage, Translation } from './translation.ts'

export type { Exit } from './program.ts'
export type { RawMessage, Translation } from './translation.ts'

/** A kind of agent: how to find it, how to reach it, and what its words mean. */
export interface Agent<State = unknown> {
  readonly name: string
  /** Its name for people. */
  readonly title: string
  readonly capabilities: Capabilities
  /** Set for an agent whose work is only a show: what it reports to have used counts in no total. */
  readonly isDemo?: true
  /** Tools whose calls are questions to a person: the answer is an input. Only for one that takes no changed input. */
  readonly questionTools?: readonly string[]
  /** Looks whether it can run on this machine, for a session with these options or for any. Never throws. */
  find(options?: Json): Promise<Readiness>
  /** Refuses, with a sentence, options that it could not work with. Starts nothing. */
  check?(options: Pick<ConnectOptions, 'options' | 'cwd' | 'dataFolder'>): Promise<void>
  connect(options: ConnectOptions): Promise<Connection>
  /** The state in which a connection's translation starts. Its name makes ids that only have a position unique. */
  initial(connection: ConnectionId, opening?: Opening): State
  /** Says what one raw message, of either side, means on screen. Pure: no clock, no randomness, no I/O. Never throws. */
  translate(state: State, raw: RawMessage): Translation<State>
  /** The name of its line format, for messages: the end of "a line of …". */
  readonly lines?: string
  /** Reads one line of a recording; null for a line to skip. Without it, every line is from the agent. */
  readRecorded?(line: string): RawMessage | null
  /** How what it leaves on disk is found and read. */
  readonly importer?: Importer
  /**
   * Finds, in the lines of one whole interaction, where its own session can be copied so that the copy ends with that
   * interaction; null when it cannot. Pure. Only asked of an agent whose capabilities have `fork`.
   */
  forkPoint?(lines: readonly RawMessage[]): ForkPoint | null
  /** Set for an agent that has no memory but the session's journal, and asks for it in `ConnectOptions.context`. */
  readonly memory?: 'journal'
  /**
   * When context changes apply for its model. By default: always if its memory is the journal, else never.
   */
  readonly context?: Effectiveness
  /** Writes context changes into the history that the agent keeps itself; absent if that is not possible. */
  readonly ownHistory?: OwnHistory
  /** How many characters of an earlier conversation it can receive at once, if less than usual. */
  readonly window?: number
  /** Set when its program can also run on another machine, with the capabilities that it does not have there. */
  readonly elsewhere?: { readonly cannot: readonly (keyof Capabilities)[] }
  /** Loads the agent's code and returns the complete agent. Set only on an agent that is known by its description so far. */
  load?(): Promise<Agent>
}

/** What the translation of a connection is given that continues one of the agent's own sessions, or a copy of one. */
export interface Opening {
  /** The totals that the agent last reported for that session; null when they are unknown. */
  readonly totals: SessionTotals | null
}

/** A place in one of an agent's own sessions, in the agent's own names: `last` is the last thing that a copy has. */
export interface ForkPoint {
  readonly agentSession: string
  readonly last: string
}

/** What an agent can do, so that nothing outside its folder asks which agent it is. */
export interface Capabilities {
  readonly resume: boolean
  readonly fork: boolean
  readonly approvals: boolean
  /** Whether a call that it asks about can run with another input. */
  readonly changedInput: boolean
  /** Whether its model reads the reason of a denial. */
  readonly denialReasons: boolean
  readonly images: boolean
  readonly interrupt: boolean
  readonly subagents: boolean
}

/** Whether an agent can run here; if not, `advice` explains what to do. */
export interface Readiness {
  /** `broken` is there and cannot be run. */
  readonly status: 'ready' | 'needs-login' | 'missing' | 'broken'
  readonly version: string | null
  /** The versions that were tried, in words; absent where there is nothing to try. */
  readonly tested?: string
  /** How the version compares with the tested ones; absent if unknown. */
  readonly age?: 'older' | 'tested' | 'newer'
  /** Absent where it cannot be known without touching credentials, or where none is needed. */
  readonly isLoggedIn?: boolean
  /** What it needs in the place of a login: a key of a service of models, or a token of ours. Absent where a login helps. */
  readonly lacks?: 'key' | 'token'
  readonly advice: string | null
}

/** What a connection is made with. */
export interface ConnectOptions {
  readonly cwd: string
  /** The agent's own name for an earlier session, to pick it up again. */
  readonly resume: string | null
  /** Where to copy one of the agent's own sessions, to begin with the copy. Never beside `resume`. */
  readonly fork?: ForkPoint
  /** What the session was created with, for the agent's own use. */
  readonly options: Json
  /** The folder for process records and lines too long for memory. */
  readonly dataFolder: string
  /** How its program is started, when not as a process of this machine. Its files are then elsewhere, too. */
  readonly start?: StartProgram
  /** Called with the process, where there is one, before anything is recorded. */
  readonly started?: (process: number) => void
  /** How long it may take to start; without it, as long as is usual. */
  readonly patience?: Patience
  /** Called with each line before it is sent; it is sent when the promise resolves. */
  readonly record: (line: Raw) => Promise<void>
  /** Ends the connection when aborted. */
  readonly signal: AbortSignal
  /** The conversation from the journal, for an agent without its own memory. */
  readonly context?: ContextSource
  /**
   * For an agent that reports each request beforehand: updates its history. Resolves when that is done or not possible.
   * The calls are those whose results are in the request for the first time.
   */
  readonly renew?: (agentSession: string, calls: readonly string[]) => Promise<void>
}

/** Builds what a model is sent from what the session's journal holds. */
export interface ContextSource {
  /** The conversation so far, compiled by the session's context policy. All earlier lines must be saved first. */
  compile(request: ContextRequest): Promise<CompiledContext>
  /** A part that was left out of a request, by the name in its placeholder; null if there is none. */
  recall(name: string): Promise<Json | null>
}

/** The request that a context is built for. */
export interface ContextRequest {
  /** The interface that is spoken. */
  readonly api: 'anthropic-messages' | 'openai-responses' | 'openai-chat' | 'gemini'
  readonly model: string
  /** How many tokens the model takes in. */
  readonly window: number
  /** How long that is what every request has before the messages: instructions and tools. */
  readonly fixedCharacters: number
  /** How much may be left out: the name of a profile, or null for the usual one. */
  readonly profile: string | null
}

/** What was built. */
export interface CompiledContext {
  /** Model messages in the AI SDK's form. */
  readonly messages: readonly Json[]
}

/** The history that an agent keeps of a session, as far as it can be changed while the agent does not run. */
export interface OwnHistory {
  /** Whether a model's thinking counts only with the words before it unchanged: then that after a change is taken out. */
  thinking(model: string | null): 'free' | 'bound'
  /** Looks at it. Throws, with a sentence, when it is not as expected: then it is left alone. */
  open(place: HistoryPlace): Promise<OpenHistory>
}

/** Which history is meant. */
export interface HistoryPlace {
  /** The agent's own name for its session. */
  readonly agentSession: string
  /** The folder in which originals are kept. */
  readonly dataFolder: string
}

/** A history that was found to be as expected. */
export interface OpenHistory {
  /** The calls whose results are in it, by the agent's own names; null is all. */
  readonly calls: ReadonlySet<string> | null
  /**
   * Makes it hold these changes and no others: what was changed before and is not named is again as it was, byte for byte.
   * The thoughts, which are named by their words, do not count any more; where that can be seen, they need not be named.
   */
  write(edits: readonly HistoryEdit[], thoughts: readonly string[]): Promise<void>
}

/** What becomes of the result of one call. Names and shapes stay. */
export interface HistoryEdit {
  readonly call: string
  readonly text: string
  /** Put in the place of the result or after it; or the result's own words, written with references to others. */
  readonly how: 'replace' | 'append' | 'rewrite'
  /** Lines of the result that stay before and after a text that replaces it. */
  readonly keepFirst: number
  readonly keepLast: number
}

/** How long a program may do nothing at all when it starts, and how long it may take in any case, in milliseconds. */
export interface Patience {
  readonly quietMs: number
  readonly startMs: number
}

/** One running agent. Disposing of it ends the agent and everything it started. */
export interface Connection extends AsyncDisposable {
  /** The process, where there is one. */
  readonly process: number | null
  /** False when the session that was to be picked up or copied could not be, and a new one began instead. */
  readonly resumed?: boolean | Promise<boolean>
  /** The agent's output, line by line, until it ends. Reading slowly slows the agent down. */
  readonly messages: AsyncIterable<Raw>
  /** What it writes beside its protocol, in pieces. */
  readonly logs: AsyncIterable<string>
  /** How it ended; never rejects. */
  readonly exit: Promise<Exit>
  prompt(prompt: PromptId, parts: readonly PromptPart[]): Promise<void>
  answer(approval: ApprovalId, answer: Answer): Promise<void>
  /** Why a question cannot be answered like this, in a sentence; null when it can. Without it, agents take every yes and no. */
  refusal?(approval: ApprovalId, answer: Answer): string | null
  /** Asks it to stop the running interaction. The agent may live on for the next. */
  interrupt(): Promise<void>
}

/** A person's answer to an approval. */
export interface Answer {
  readonly approved: boolean
  readonly reason: string | null
  readonly input?: Json
  readonly always: boolean
}
