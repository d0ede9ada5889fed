import type { OptionsSchema } from '../protocol/agent-options.ts'
import type { SessionTotals } from '../protocol/data-parts.ts'
import type { Raw } from '../protocol/event.ts'
import type { ApprovalId, ConnectionId, PromptId } from '../protocol/ids.ts'
import type { Json } from '../protocol/json.ts'
import type { Effectiveness } from '../protocol/manipulation.ts'
import type { PromptPart } from '../protocol/message.ts'
import type { Importer } from './importer.ts'
import type { Exit, StartProgram } from './program.ts'
import type { RawMessage, Translation } from './translation.ts'

export type { OptionFacts, OptionSchema, OptionsSchema } from '../protocol/agent-options.ts'
export type { Exit } from './program.ts'
export type { RawMessage, Translation } from './translation.ts'

/** A kind of agent: how to find it, how to connect to it, and how its lines are translated. */
export interface Agent<State = unknown> {
  readonly name: string
  /** Its display name. */
  readonly title: string
  readonly capabilities: Capabilities
  /** Set for a demo agent: its reported usage does not count in any total. */
  readonly isDemo?: true
  /** Tools whose calls are questions to a person, who answers with an input. Only for an agent without `changedInput`. */
  readonly questionTools?: readonly string[]
  /** Its options as a JSON schema, for everyone who offers them. Absent if it declares none. */
  readonly options?: OptionsSchema
  /** Checks whether it can run on this machine, for a session with these options or for any. Never throws. */
  find(options?: Json): Promise<Readiness>
  /** Throws an error with a sentence for options that it cannot work with. Starts nothing. */
  check?(options: Pick<ConnectOptions, 'options' | 'cwd' | 'dataFolder'>): Promise<void>
  connect(options: ConnectOptions): Promise<Connection>
  /** The state before the first line of a connection. The connection's id makes ids unique that are only positions. */
  initial(connection: ConnectionId, opening?: Opening): State
  /** Translates one raw message, of either side, to chunks. Pure: no clock, no randomness, no I/O. Never throws. */
  translate(state: State, raw: RawMessage): Translation<State>
  /** The name of its line format, as in "a line of …". */
  readonly lines?: string
  /** Reads one line of a recording; null for a line to skip. Without it, every line is from the agent. */
  readRecorded?(line: string): RawMessage | null
  /** How its transcripts on disk are found and read. */
  readonly importer?: Importer
  /**
   * Finds, in the lines of one complete interaction, where the agent's session can be copied so that the copy ends with that
   * interaction; null if it cannot. Pure. Only called for an agent with the capability `fork`.
   */
  forkPoint?(lines: readonly RawMessage[]): ForkPoint | null
  /** Set for an agent whose only memory is the session's journal. It gets the conversation from `ConnectOptions.context`. */
  readonly memory?: 'journal'
  /**
   * When context changes apply for its model. By default: always if its memory is the journal, else never.
   */
  readonly context?: Effectiveness
  /** Writes context changes into the agent's own history; absent if that is not possible. */
  readonly ownHistory?: OwnHistory
  /** How many characters of an earlier conversation it can receive at once, if less than usual. */
  readonly window?: number
  /** Set if its program can also run on another machine, with the capabilities that it lacks there. */
  readonly elsewhere?: { readonly cannot: readonly (keyof Capabilities)[] }
  /** Loads the agent's code and returns the complete agent. Set only on an agent whose code is not loaded yet. */
  load?(): Promise<Agent>
}

/** The start of a translation for a connection that continues one of the agent's own sessions, or a copy of one. */
export interface Opening {
  /** The totals that the agent last reported for that session; null if unknown. */
  readonly totals: SessionTotals | null
}

/** A position in one of an agent's own sessions, by the agent's own ids: `last` is the last item of a copy. */
export interface ForkPoint {
  readonly agentSession: string
  readonly last: string
}

/** What an agent can do, so that code outside its folder never depends on which agent it is. */
export interface Capabilities {
  readonly resume: boolean
  readonly fork: boolean
  readonly approvals: boolean
  /** Whether an approved call can run with a changed input. */
  readonly changedInput: boolean
  /** Whether its model reads the reason of a denial. */
  readonly denialReasons: boolean
  readonly images: boolean
  readonly interrupt: boolean
  readonly subagents: boolean
}

/** Whether an agent can run here; if not, `advice` explains what to do. */
export interface Readiness {
  /** `broken` means installed, but it cannot be run. */
  readonly status: 'ready' | 'needs-login' | 'missing' | 'broken'
  readonly version: string | null
  /** The tested versions, in words; absent if there is nothing to test. */
  readonly tested?: string
  /** How the version compares with the tested ones; absent if unknown. */
  readonly age?: 'older' | 'tested' | 'newer'
  /** Absent if it cannot be known without reading credentials, or if no login is needed. */
  readonly isLoggedIn?: boolean
  /** What it needs instead of a login: a provider's API key, or a token of ours. Absent if a login helps. */
  readonly lacks?: 'key' | 'token'
  readonly advice: string | null
}

/** The options of a connection. */
export interface ConnectOptions {
  readonly cwd: string
  /** The agent's own id of an earlier session, to resume it. */
  readonly resume: string | null
  /** Where to copy one of the agent's own sessions, to start with the copy. Never together with `resume`. */
  readonly fork?: ForkPoint
  /** The agent-specific options of the session. */
  readonly options: Json
  /** The folder for process records and lines too long for memory. */
  readonly dataFolder: string
  /** How its program is started, if not as a process of this machine. Then its files are on the other machine too. */
  readonly start?: StartProgram
  /** Called with the process, if there is one, before anything is recorded. */
  readonly started?: (process: number) => void
  /** How long it may take to start; by default, the usual time. */
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

/** Builds the context of a model from the session's journal. */
export interface ContextSource {
  /** The conversation so far, compiled by the session's context policy. All earlier lines must be saved first. */
  compile(request: ContextRequest): Promise<CompiledContext>
  /** A part that was left out of a request, by the name in its placeholder; null if there is none. */
  recall(name: string): Promise<Json | null>
}

/** The request that a context is built for. */
export interface ContextRequest {
  /** The API of the provider. */
  readonly api: 'anthropic-messages' | 'openai-responses' | 'openai-chat' | 'gemini'
  readonly model: string
  /** The context window of the model, in tokens. */
  readonly window: number
  /** The number of characters that every request has before the messages: instructions and tools. */
  readonly fixedCharacters: number
  /** How much may be left out: the name of a profile, or null for the default. */
  readonly profile: string | null
}

/** The compiled context. */
export interface CompiledContext {
  /** Model messages in the AI SDK's form. */
  readonly messages: readonly Json[]
}

/** An agent's own history of a session, which can be changed while the agent does not run. */
export interface OwnHistory {
  /** `bound` if a model's thinking is valid only after unchanged messages: then thinking after a change is removed. */
  thinking(model: string | null): 'free' | 'bound'
  /** Opens a history. Throws an error with a sentence if it is not as expected; then it is not changed. */
  open(place: HistoryPlace): Promise<OpenHistory>
}

/** Where a history is. */
export interface HistoryPlace {
  /** The agent's own id of its session. */
  readonly agentSession: string
  /** The folder for the originals of changed results. */
  readonly dataFolder: string
}

/** A history that is as expected. */
export interface OpenHistory {
  /** The calls whose results are in it, by the agent's own ids; null means all. */
  readonly calls: ReadonlySet<string> | null
  /**
   * Applies these changes and no others: results that were changed before and are not listed are restored byte for byte.
   * The listed thoughts, by their text, are no longer valid. Thoughts that the history itself shows to be invalid need not be listed.
   */
  write(edits: readonly HistoryEdit[], thoughts: readonly string[]): Promise<void>
}

/** A change to the result of one call. Ids and shapes stay. */
export interface HistoryEdit {
  readonly call: string
  readonly text: string
  /** Whether the text replaces the result or is added to it, or is the result rewritten with references to other results. */
  readonly how: 'replace' | 'append' | 'rewrite'
  /** Lines of the result that stay before and after a text that replaces it. */
  readonly keepFirst: number
  readonly keepLast: number
}

/** How long a starting program may be idle, and how long its start may take at all, in milliseconds. */
export interface Patience {
  readonly quietMs: number
  readonly startMs: number
}

/** One running agent. Disposing of it ends the agent and everything it started. */
export interface Connection extends AsyncDisposable {
  /** The process, if there is one. */
  readonly process: number | null
  /** False if the session could not be resumed or copied, and a new one was started instead. */
  readonly resumed?: boolean | Promise<boolean>
  /** The agent's output, line by line, until it ends. Reading slowly slows the agent down. */
  readonly messages: AsyncIterable<AgentLine>
  /** Its log, in pieces. */
  readonly logs: AsyncIterable<string>
  /** How it ended; never rejects. */
  readonly exit: Promise<Exit>
  prompt(prompt: PromptId, parts: readonly PromptPart[]): Promise<void>
  answer(approval: ApprovalId, answer: Answer): Promise<void>
  /** A sentence that says why an approval cannot be answered like this; null if it can. Without it, every yes and no is accepted. */
  refusal?(approval: ApprovalId, answer: Answer): string | null
  /** Asks it to stop the running interaction. The agent may stay for the next one. */
  interrupt(): Promise<void>
}

/** A line of an agent. A transport that had to parse it adds the value for the translation; the value is not saved. */
export interface AgentLine extends Raw {
  readonly parsed?: Json
}

/** A person's answer to an approval. */
export interface Answer {
  readonly approved: boolean
  readonly reason: string | null
  readonly input?: Json
  readonly always: boolean
}
