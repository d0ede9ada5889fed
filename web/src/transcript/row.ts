import type {
  DataParts,
  HandoverWay,
  Message,
  MessagePart,
  Todo,
  ToolPart,
  TranscriptFacts,
  Validity,
} from 'dragoman'
import type { Outgoing } from 'dragoman/client'

/** The position of a row: depth, thread and message. */
export interface RowPlace {
  /** Stable while it is the same item. */
  readonly key: string
  readonly depth: number
  readonly thread: string | null
  readonly message: string | null
}

/** A source that the agent used. */
export type SourcePart = Extract<MessagePart, { readonly type: `source-${string}` }>
/** A file or an image in a message. */
export type FilePart = Extract<MessagePart, { readonly type: 'file' }>

/** A message that a row shows as a whole. */
export interface OfMessage {
  readonly of: Message
  /** The time of the message, if known. */
  readonly at: number | null
  readonly validity: Validity
}

/** How an agent got to know the conversation. */
export interface Handover {
  readonly agent: string
  /** Null where only the change of the agent is known. */
  readonly how: HandoverWay | null
  readonly before: string | null
  readonly transcript: TranscriptFacts | null
  /** The agent's own session that it no longer had. */
  readonly lost?: string
}

/** Whether the subagent's messages are loaded. */
export type ThreadState = 'ready' | 'loading' | { readonly problem: string }

/** What a row shows. */
export type RowContent =
  | { readonly kind: 'day'; readonly at: number }
  | {
      readonly kind: 'boundary'
      readonly trigger: 'agent' | 'schedule' | 'synthetic' | 'user'
      readonly at: number
      /** Whether the pause before it was long enough to show the time. */
      readonly afterPause: boolean
    }
  | ({ readonly kind: 'handover' } & Handover)
  | ({ readonly kind: 'prompt' } & OfMessage)
  | { readonly kind: 'text'; readonly text: string; readonly streaming: boolean }
  | {
      readonly kind: 'thinking'
      readonly text: string
      readonly streaming: boolean
      /** The id of the part. */
      readonly thought: string
    }
  | {
      readonly kind: 'tool'
      readonly part: ToolPart
      readonly shortened: DataParts['shortened'] | null
      /** Whether this is the call that started the subagent whose box it is in. */
      readonly isStart?: true
    }
  /** A run of finished steps; the steps follow it while it is open. */
  | { readonly kind: 'steps'; readonly steps: readonly StepRow[]; readonly open: boolean }
  | {
      readonly kind: 'subagent'
      /** The subagent's thread: the ID of the tool call that started it. */
      readonly starts: string
      readonly report: DataParts['subagent'] | null
      readonly part: ToolPart | null
      readonly open: boolean
      readonly state: ThreadState
    }
  | ({ readonly kind: 'notice' } & DataParts['notice'])
  | { readonly kind: 'compaction'; readonly words: string }
  /** A message the user sent while the agent was running. */
  | { readonly kind: 'meanwhile'; readonly words: string }
  /** The output of a command that the user ran. */
  | { readonly kind: 'printed'; readonly output: string; readonly errors: string }
  | {
      readonly kind: 'unknown'
      readonly agent: string
      readonly native: string
      /** How many of that kind follow each other. */
      readonly count: number
    }
  /** A finished answer without content. */
  | { readonly kind: 'silent' }
  | { readonly kind: 'plan'; readonly todos: readonly Todo[] }
  | { readonly kind: 'sources'; readonly sources: readonly SourcePart[] }
  | { readonly kind: 'file'; readonly file: FilePart }
  | ({ readonly kind: 'footer' } & OfMessage)
  | { readonly kind: 'ending'; readonly outcome: 'failed' | 'interrupted'; readonly reason: string | null }
  /** `places` is the number of slots for agents while all are in use and this session is queued; else null. */
  | { readonly kind: 'working'; readonly since: number | null; readonly places: number | null }
  | { readonly kind: 'outgoing'; readonly outgoing: Outgoing }

/** One line or block of a transcript, small enough that a change changes little. */
export type Row = RowPlace & RowContent

/** The rows of one kind. */
export type RowOf<Kind extends RowContent['kind']> = Extract<Row, { readonly kind: Kind }>

/** A tool call or a thought in a run of steps. */
export type StepRow = RowOf<'tool' | 'thinking'>

/** Facts of each kind of row. */
interface KindFacts {
  /** Whether it counts as new: messages and actions do, separators do not. */
  readonly isNews: boolean
  /** Whether it always contains a control that Tab reaches. Other rows may. */
  readonly hasControls: boolean
}

/** The compiler asks for every new kind. */
export const kinds: { readonly [Kind in RowContent['kind']]: KindFacts } = {
  day: { isNews: false, hasControls: false },
  boundary: { isNews: false, hasControls: false },
  handover: { isNews: false, hasControls: false },
  prompt: { isNews: true, hasControls: true },
  text: { isNews: true, hasControls: false },
  thinking: { isNews: false, hasControls: true },
  tool: { isNews: true, hasControls: true },
  steps: { isNews: true, hasControls: true },
  subagent: { isNews: true, hasControls: true },
  notice: { isNews: true, hasControls: false },
  compaction: { isNews: false, hasControls: true },
  meanwhile: { isNews: true, hasControls: false },
  printed: { isNews: true, hasControls: true },
  unknown: { isNews: false, hasControls: false },
  silent: { isNews: false, hasControls: false },
  plan: { isNews: false, hasControls: false },
  sources: { isNews: false, hasControls: false },
  file: { isNews: true, hasControls: false },
  footer: { isNews: false, hasControls: true },
  ending: { isNews: false, hasControls: false },
  working: { isNews: false, hasControls: false },
  outgoing: { isNews: false, hasControls: false },
}
