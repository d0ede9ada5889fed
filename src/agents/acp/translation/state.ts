import type { ThreadChunk } from '../../../protocol/chunk.ts'
import type { Json } from '../../../protocol/json.ts'
import { build, type Op, type Parts } from '../../kit/parts.ts'
import type { PersistentMap } from '../../kit/persistent-map.ts'
import type { JsonObject, PermissionOption } from '../messages.ts'
import type { Usage } from './usage.ts'

/** All that must be remembered of a connection to know what its next line means. Immutable. */
export interface AcpState {
  readonly parts: Parts
  /** What the other side calls itself. */
  readonly peer: string | null
  /** What we asked and have no answer to, by our id. */
  readonly asked: ReadonlyMap<string, Asked>
  /** What the agent asked and we have not answered, by its id. */
  readonly questions: ReadonlyMap<string, Question>
  /** What the agent asked of our terminals and we have not answered, by its id. */
  readonly served: ReadonlyMap<string, Asked>
  /** The prompts that are being answered, oldest first. */
  readonly prompts: readonly Prompt[]
  /** Whether the agent works on something that nobody prompted; only version 2 says so. */
  readonly working: boolean
  /** Whether an old conversation is being told again, until our next prompt. */
  readonly replaying: boolean
  /** The text or thinking that the next piece of it continues. */
  readonly piece: Piece | null
  /** How many pieces were begun; they are named in that order. */
  readonly pieces: number
  /** Earlier pieces of this answer by kind and message, where the agent names its messages. */
  readonly said: PersistentMap<string, Said>
  readonly calls: PersistentMap<string, Call>
  readonly terminals: PersistentMap<string, Terminal>
  /** Calls that a person refused and the agent has not yet closed. */
  readonly denied: readonly string[]
  /** What was told while there was no answer to show it in. */
  readonly held: readonly Op[]
  readonly usage: Usage
  /** What an ending that looks like success hides. */
  readonly trouble: string | null
  readonly compactions: ReadonlyMap<string, string>
}

/** A request of either side. */
export interface Asked {
  readonly method: string
  readonly params: JsonObject
}

/** A request of the agent that a person answers, and the call that shows it. */
export interface Question {
  /** A permission, a form in a call of its own, or a form for the questions that a call asks. */
  readonly type: 'permission' | 'elicitation' | 'question'
  readonly call: string
  readonly options: readonly PermissionOption[]
}

/** A prompt; in version 2 the agent first takes it and much later says that it is idle. */
export interface Prompt {
  readonly id: string
  readonly taken: boolean
}

/** A stretch of text or thinking. */
export interface Piece {
  readonly kind: 'text' | 'thinking'
  /** The agent's name for the message, where it gives one. */
  readonly id: string | null
  readonly key: string
  readonly text: string
  /** Whether it was said outside of any answer. */
  readonly stray: boolean
}

/** The closed pieces of one message of the agent. */
export interface Said {
  readonly keys: readonly string[]
  readonly text: string
}

/** What is known of a tool call. */
export interface Call {
  readonly tool: string
  /** Whether `tool` is what the agent calls it, and not what we make of other facts. */
  readonly named: boolean
  readonly title?: string
  readonly kind?: string
  readonly input?: Json
  readonly content?: Json
  readonly rawOutput?: Json
  readonly locations?: Json
  /** The tool's own answer, where an adapter adds it. */
  readonly toolResponse?: Json
  readonly terminals: readonly string[]
  readonly status: 'waiting' | 'running' | 'done' | 'failed'
  /** Whether a person is being asked about it. */
  readonly asks: boolean
  readonly denied: boolean
  /** What a person was asked about it. */
  readonly permission?: Json
  /** How long the output was that was last shown, while it runs. */
  readonly shown: number
}

/** A terminal, ours or the agent's. */
export interface Terminal {
  /** The call that shows it. */
  readonly call?: string
  readonly command?: string
  readonly cwd?: string
  readonly output: string
  /** Bytes at the end of the output that are no whole character yet, in base64. */
  readonly rest: string
  readonly truncated?: boolean
  readonly exit?: JsonObject
}

/** The one thing that changes while a line is read: the newest state, and the chunks so far. */
export interface Draft {
  state: AcpState
  chunks: readonly ThreadChunk[]
}

/** Changes what is remembered. */
export function change(draft: Draft, news: Partial<AcpState>): void {
  draft.state = { ...draft.state, ...news }
}

/** Says what the agent did, in the words that all agents share. */
export function say(draft: Draft, ops: readonly Op[]): void {
  if (ops.length === 0) return
  const [parts, chunks] = build(draft.state.parts, ops)
  change(draft, { parts })
  draft.chunks = draft.chunks.length === 0 ? chunks : [...draft.chunks, ...chunks]
}

/** Whether an answer is expected: what comes now belongs to it, and it will be ended. */
export function isAnswering({ prompts, working, questions }: AcpState): boolean {
  return prompts.length > 0 || working || questions.size > 0
}
