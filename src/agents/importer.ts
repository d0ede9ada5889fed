import type { Raw } from '../protocol/event.ts'
import type { ConnectionId, PromptId } from '../protocol/ids.ts'
import type { PromptPart } from '../protocol/message.ts'
import type { RawMessage, Translation } from './translation.ts'

/** How an agent's transcripts, which it leaves on disk, become sessions. Nothing outside its folder knows its files. */
export interface Importer<State = unknown> {
  /** The usual folders of the transcripts. */
  places(env: Readonly<Record<string, string | undefined>>): readonly string[]
  /** The transcripts in a file, or anywhere below a folder. Files of other agents are ignored. */
  find(path: string): AsyncIterable<FoundTranscript>
  /** The state in which the translation of a transcript starts. */
  initial(connection: ConnectionId): State
  /** Says what one line of a transcript means. Pure, and never throws, like the translation of live words. */
  translate(state: State, raw: RawMessage): Translation<State>
}

/** A transcript that was found: one conversation. */
export interface FoundTranscript {
  /** Its main file. */
  readonly file: string
  /** About as long as it takes to read it. */
  readonly bytes: number
  read(options: ReadOptions): Promise<Transcript>
}

/** How a transcript is read. */
export interface ReadOptions {
  /** Where lines too long for memory go. */
  readonly dataFolder: string
  /** How many bytes a packed file may unpack to; a sensible default if absent. */
  readonly unpackLimit?: number | undefined
  /** Told of each line that is left out. */
  readonly skip: (skipped: SkippedLine) => void
}

/** A line that could not be read. */
export interface SkippedLine {
  readonly file: string
  readonly line: number
  readonly reason: string
  /** Whether nothing after it can be read either. */
  readonly isEnd?: boolean
}

/** What an agent wrote down of a conversation. */
export interface Transcript {
  /** The agent's own name for the session. */
  readonly agentSession: string
  readonly cwd: string | null
  readonly title: string | null
  /** Every line, in the order of the import. */
  readonly lines: readonly TranscriptLine[]
}

/** One line of a transcript. */
export interface TranscriptLine {
  readonly from: RawMessage['from']
  readonly raw: Raw
  /** Its time in milliseconds since 1970, if it has one. */
  readonly at: number | null
  /** What a person asked with it, if it is that. */
  readonly prompt: TranscriptPrompt | null
  /** A line that is not in the file, made to show when something began: it is left out when the line it announces is known. */
  readonly announces?: Raw
  /** The subagent in whose own file the line is. */
  readonly subagent?: TranscriptSubagent
  /** The call that a person denied, when the line is the result of it. */
  readonly denial?: Denial
}

/** A subagent with a separate transcript: the agent's id for its session, and the call that started it. */
export interface TranscriptSubagent {
  readonly agentSession: string
  readonly call: string
}

/** A call that a person denied, and the reason they gave. */
export interface Denial {
  readonly call: string
  readonly reason: string | null
}

/** What a person asked. */
export interface TranscriptPrompt {
  readonly id: PromptId
  readonly parts: readonly PromptPart[]
}

/**
 * A line of ours after the last one that was read: answers that are open are finished, and go on if more is read later.
 */
export const pauseLine = '{"dragoman":"pause"}'

/** A line of ours before the result of a call that a person denied: the question that the transcript left out. */
export const deniedLine = (call: string): string => JSON.stringify({ dragoman: 'denied', call })

/** A line of ours where the lines of another file begin: a subagent's, or again those of the conversation. */
export const subagentLine = (call: string | null): string =>
  JSON.stringify({ dragoman: 'subagent-lines', call })

/** The content of a line of ours; null if it is the agent's. */
export function ownLineIn({ from, text }: RawMessage): OwnLine | null {
  if (from !== 'host' || !text.startsWith('{"dragoman":')) return null
  const line = JSON.parse(text) as OwnLine
  return line.dragoman === 'denied' || line.dragoman === 'subagent-lines' ? line : null
}

/** A line that an import adds to what the agent wrote. */
export type OwnLine =
  | { readonly dragoman: 'denied'; readonly call: string }
  | { readonly dragoman: 'subagent-lines'; readonly call: string | null }

/** The name of the question that a denied call must have asked. */
export const deniedApproval = (call: string): string => `denied.${call}`

/** Whether reading stopped at this line. */
export const isPause = ({ from, text }: RawMessage): boolean => from === 'host' && text === pauseLine
