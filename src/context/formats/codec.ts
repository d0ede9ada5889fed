import type { Json } from '../../protocol/json.ts'
import type { Leaf } from './leaves.ts'
import type {
  CallPart,
  Conversation,
  Format,
  LossReason,
  Message,
  Part,
  Provider,
  ResultPart,
  Role,
} from './conversation.ts'

/** Where a piece of JSON stands. */
export interface Place {
  readonly id: string
  readonly role: Role
  /** The tool that a call asked for: most formats do not say it again with the result. */
  readonly toolOf?: (call: string) => string | null
  /** The call, where the JSON does not name it itself. */
  readonly call?: string
}

/** Parts that a provider takes as one message of its own. */
export interface Segment {
  readonly role: Role
  readonly parts: readonly Part[]
  /** The message it was, when it is one: its native words are written around the parts. */
  readonly message: Message | null
}

/** What a provider insists on. */
export interface Rules {
  /** Results stand inside the call (UI messages), need only come later (responses), or must come next. */
  readonly results: 'inside' | 'later' | 'next'
  /** A system prompt stands before the messages, or among them. */
  readonly system: 'apart' | 'among'
  /** Whether results may share a message with words: first the results. */
  readonly mixesResults: boolean
  /** Whether what one says in a row is one message, where it is not native already. */
  readonly joins: boolean
  /** What stands between the words of two messages that become one, where they would be run together. */
  readonly between?: string
  /** Which calls make the provider refuse two native messages of the assistant in a row. */
  readonly mustJoin: 'none' | 'calls-before' | 'calls'
  /** Whether the results of one step must be one message. */
  readonly gathersResults: boolean
  /** Whether reasoning is refused when nothing that it led to follows. */
  readonly needsFollower: boolean
  readonly startsWithUser: boolean
  /** Whose messages may say something without parts. */
  readonly keepsShells: 'all' | 'assistant' | 'none'
  /** What the provider takes as the id of a call. */
  readonly callId: RegExp
  /**
   * How far the id of a call must be its own: until its result has come, of one message of this format, or, when not said, of the whole conversation.
   */
  readonly callIds?: 'step' | 'message'
  /** What the provider takes as the name of a tool, and how long it may be; anything, when not said. */
  readonly toolName?: { readonly legal: RegExp; readonly longest: number }
  /** Whether a result must name the tool that its call named. */
  readonly sameTool?: true
  /** Calls that need no results and results that need no calls, in words of this format: they stay where they are. */
  readonly standsFree?: (part: CallPart | ResultPart) => boolean
  /** Whether it refuses to go on after words of the assistant that end in white space. */
  readonly trimsEnd?: true
  /** Whether it refuses a conversation without messages. */
  readonly needsMessages?: true
  /** Whether a conversation goes on from one that the provider keeps: results may answer calls in that. */
  readonly goesOn?: (conversation: Conversation) => boolean
}

/** A conversation laid out as a provider wants it, not yet in its words. */
export interface Layout {
  readonly system: readonly Part[]
  readonly segments: readonly Segment[]
  /** What is laid out, its calls and tools under names that the provider takes. */
  readonly conversation: Conversation
  /** Whether the document stays without messages, with white space at its end and all its cache marks, if it came so. */
  readonly isAsItCame: boolean
}

/** A part that is not written, or not whole, and why. */
export interface Dropped {
  readonly part: Part
  readonly why: LossReason
  /** Which leaves of it are not written; all, when not said. */
  readonly isGone?: (path: string) => boolean
}

/** A target: what it can say, and what it insists on. */
export interface Target {
  readonly format: Format | 'model-messages'
  readonly provider: Provider | null
  readonly rules: Rules
  /** One part in this format, native words of the whole part left aside; null when the format has no place for it. */
  readonly serialize: (part: Part, role: Role) => Json | null
  /** Whether the provider takes a piece of this format's JSON from a role; if not, the part is said anew. */
  readonly isSound: (json: Json, role: Role) => boolean
  /** Leaves out what is right by itself, but not in such company. */
  readonly limit?: (layout: Layout, dropped: Dropped[]) => Layout
}

/** Gives the JSON of a part in the format that is being written, native fields and all; null when it has no place there. */
export type Express = (part: Part, role: Role) => Json | null

/** One format as a table: how it is parsed, serialized, laid out and checked. */
export interface Codec extends Target {
  readonly format: Format
  readonly read: (json: Json) => Conversation
  /** Where a document has its messages. */
  readonly listKey: string
  /** The parts that a piece of this format's JSON says: one, or a call and its result. */
  readonly parse: (json: Json, place: Place) => readonly Part[]
  /** A document of what was laid out. */
  readonly put: (layout: Layout, express: Express) => Json
  /** What the format calls a role. */
  readonly roleName: (role: Role) => string
  /** Whether the name that another format has for who speaks is kept here, though it is not the usual one. */
  readonly keepsRoleOf?: (message: Message) => boolean
  /** The roles that the format knows. */
  readonly roles: readonly string[]
  /** Keys of a message that its parts and its role say. */
  readonly said: readonly string[]
  /** A piece of native JSON under the names that `serialize` uses, where the format knows two for one field. */
  readonly spelled?: (json: Json) => Json
  /** Whether a leaf of a part's native JSON is said by call and result together. */
  readonly isSaidByPair?: (part: Part, leaf: Leaf) => boolean
  /** What the provider would refuse, in plain words; empty when nothing. */
  readonly findInvalid: (json: Json) => readonly string[]
}
