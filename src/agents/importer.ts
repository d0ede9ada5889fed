import type { Raw } from '../protocol/event.ts'
import type { ConnectionId, PromptId } from '../protocol/ids.ts'
import type { PromptPart } from '../protocol/message.ts'
import type { RawMessage, Translation } from './translation.ts'

/** How an agent's transcripts on disk become sessions. Only the agent's folder knows its files. */
export interface Importer<State = unknown> {
  /** The usual folders of the transcripts. */
  places(env: Readonly<Record<string, string | undefined>>): readonly string[]
  /** The transcripts in a file, or anywhere below a folder. Files of other agents are ignored. */
  find(path: string): AsyncIterable<FoundTranscript>
  /** The state before the first line of a transcript. */
  initial(connection: ConnectionId): State
  /**
   * Where to search when a file below a place changed: the file or folder with its whole transcript; null if it is not of a transcript.
   * By default, the whole place.
   */
  scope?(file: string, place: string): string | null
  /** The names of folders without transcripts, which are not searched for changes. */
  readonly ignored?: readonly string[]
  /** Translates one line of a transcript. Pure, and never throws, like the translation of live lines. */
  translate(state: State, raw: RawMessage): Translation<State>
}

/** A transcript that was found: one conversation. */
export interface FoundTranscript {
  /** Its main file. */
  readonly file: string
  /** The agent's own id of the session. */
  readonly agentSession: string
  /** When it changed last, in milliseconds since 1970. */
  readonly changedAt: number
  /** Its size, which shows about how long reading takes. */
  readonly bytes: number
  read(options: ReadOptions): Promise<Transcript>
}

/** How a transcript is read. */
export interface ReadOptions {
  /** The folder for lines that are too long for memory. */
  readonly dataFolder: string
  /** How many bytes a packed file may unpack to; by default, a sensible limit. */
  readonly unpackLimit?: number | undefined
  /** Called with each line that is skipped. */
  readonly skip: (skipped: SkippedLine) => void
  /** Set when the transcript may be written at the moment: an incomplete last line is left for the next time. */
  readonly follow?: {
    /** The end of the last reading, to read only what was added; null for everything. */
    readonly after: TranscriptEnd | null
    /** About how many added bytes are read at once. */
    readonly most: number
  }
}

/** How far a transcript was read. Only the importer that returned it knows what is in it. */
export type TranscriptEnd = object

/** A line that could not be read. */
export interface SkippedLine {
  readonly file: string
  readonly line: number
  readonly reason: string
  /** Whether everything after it is unreadable too. */
  readonly isEnd?: boolean
}

/** An agent's transcript of a conversation. */
export interface Transcript {
  /** The agent's own id of the session. */
  readonly agentSession: string
  readonly cwd: string | null
  readonly title: string | null
  /** Every line, in the order of the import. */
  readonly lines: readonly TranscriptLine[]
  /** Set for transcripts that can be read on from their end. */
  readonly growth?: {
    readonly end: TranscriptEnd
    /** Whether the lines are only those that were added. */
    readonly isPart: boolean
    /** Whether there is more to read now. */
    readonly hasMore: boolean
  }
}

/** One line of a transcript. */
export interface TranscriptLine {
  readonly from: RawMessage['from']
  readonly raw: Raw
  /** Its time in milliseconds since 1970, if it has one. */
  readonly at: number | null
  /** The prompt in it, if it has one. */
  readonly prompt: TranscriptPrompt | null
  /** A line that is not in the file. It was made to show when something began, and is skipped if that is already known. */
  readonly announces?: Raw
  /** The subagent whose file has the line. */
  readonly subagent?: TranscriptSubagent
  /** The call that a person denied, if the line is its result. */
  readonly denial?: Denial
}

/** A subagent with a separate transcript: the agent's id for its session, and the call that started it. */
export interface TranscriptSubagent {
  readonly agentSession: string
  readonly call: string
}

/** A call that a person denied, and their reason. */
export interface Denial {
  readonly call: string
  readonly reason: string | null
}

/** A prompt of a person. */
export interface TranscriptPrompt {
  readonly id: PromptId
  readonly parts: readonly PromptPart[]
}

/**
 * A line of ours after the last line that was read: open answers are finished, and continue if more is read later.
 */
export const pauseLine = '{"dragoman":"pause"}'

/** A line of ours before the result of a denied call: the approval request that the transcript does not have. */
export const deniedLine = (call: string): string => JSON.stringify({ dragoman: 'denied', call })

/** A line of ours where the lines of another file begin: a subagent's, or those of the conversation again. */
export const subagentLine = (call: string | null): string =>
  JSON.stringify({ dragoman: 'subagent-lines', call })

/** The content of a line of ours; null for a line of the agent. */
export function ownLineIn({ from, text }: RawMessage): OwnLine | null {
  if (from !== 'host' || !text.startsWith('{"dragoman":')) return null
  const line = JSON.parse(text) as OwnLine
  return line.dragoman === 'denied' || line.dragoman === 'subagent-lines' ? line : null
}

/** A line that an import adds to what the agent wrote. */
export type OwnLine =
  | { readonly dragoman: 'denied'; readonly call: string }
  | { readonly dragoman: 'subagent-lines'; readonly call: string | null }

/** The id of the approval of a denied call. */
export const deniedApproval = (call: string): string => `denied.${call}`

/** Whether reading stopped at this line. */
export const isPause = ({ from, text }: RawMessage): boolean => from === 'host' && text === pauseLine
