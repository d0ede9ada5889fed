import type { Raw } from '../protocol/event.ts'
import type { ConnectionId, PromptId } from '../protocol/ids.ts'
import type { PromptPart } from '../protocol/message.ts'
import type { RawMessage, Translation } from './agent.ts'

/** How an agent's transcripts, which it leaves on disk, become sessions. Nothing outside its folder knows its files. */
export interface Importer<State = unknown> {
  /** Where the transcripts lie when nobody names a place. */
  places(env: Readonly<Record<string, string | undefined>>): readonly string[]
  /** The transcripts in a file, or anywhere below a folder. Of files that are none of this agent's it says nothing. */
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
  /** Every line, in the order in which it is to be told. */
  readonly lines: readonly TranscriptLine[]
}

/** One line of a transcript. */
export interface TranscriptLine {
  readonly from: RawMessage['from']
  readonly raw: Raw
  /** When it was said, in milliseconds since 1970, if it says so. */
  readonly at: number | null
  /** What a person asked with it, if it is that. */
  readonly prompt: TranscriptPrompt | null
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

/** Whether a line says that nothing more was read. */
export const isPause = ({ from, text }: RawMessage): boolean => from === 'host' && text === pauseLine
