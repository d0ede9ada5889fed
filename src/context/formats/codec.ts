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

/** The position of a piece of JSON. */
export interface Place {
  readonly id: string
  readonly role: Role
  /** The tool of a call: most formats do not repeat it in the result. */
  readonly toolOf?: (call: string) => string | null
  /** The call, where the JSON does not name it itself. */
  readonly call?: string
}

/** Parts that are one message for a provider. */
export interface Segment {
  readonly role: Role
  readonly parts: readonly Part[]
  /** The original message, if the segment is one: its native JSON is written around the parts. */
  readonly message: Message | null
}

/** The requirements of a provider. */
export interface Rules {
  /** Results are inside the call (UI messages), anywhere after it (responses), or directly after it. */
  readonly results: 'inside' | 'later' | 'next'
  /** A system prompt is before the messages, or among them. */
  readonly system: 'apart' | 'among'
  /** Whether results may share a message with text: first the results. */
  readonly mixesResults: boolean
  /** Whether consecutive messages of a role are joined, unless they are native. */
  readonly joins: boolean
  /** The separator between the texts of two joined messages. */
  readonly between?: string
  /** Which calls make the provider refuse two native messages of the assistant in a row. */
  readonly mustJoin: 'none' | 'calls-before' | 'calls'
  /** Whether the results of one step must be one message. */
  readonly gathersResults: boolean
  /** Whether reasoning must be followed by something. */
  readonly needsFollower: boolean
  readonly startsWithUser: boolean
  /** Whose messages may have no parts. */
  readonly keepsShells: 'all' | 'assistant' | 'none'
  /** What the provider accepts as the id of a call. */
  readonly callId: RegExp
  /**
   * Where the id of a call must be unique: until its result has come, in one message of this format, or by default in the whole conversation.
   */
  readonly callIds?: 'step' | 'message'
  /** What the provider accepts as the name of a tool, and its longest length; by default anything. */
  readonly toolName?: { readonly legal: RegExp; readonly longest: number }
  /** Whether a result must name the tool that its call named. */
  readonly sameTool?: true
  /** Calls that need no results and results that need no calls in this format: they stay where they are. */
  readonly standsFree?: (part: CallPart | ResultPart) => boolean
  /** Whether it refuses a last assistant text that ends in white space. */
  readonly trimsEnd?: true
  /** Whether it refuses a conversation without messages. */
  readonly needsMessages?: true
  /** Whether a conversation continues one that the provider keeps: results may answer calls of that. */
  readonly goesOn?: (conversation: Conversation) => boolean
}

/** A conversation laid out as a provider requires it, not yet in its format. */
export interface Layout {
  readonly system: readonly Part[]
  readonly segments: readonly Segment[]
  /** The conversation that is laid out, with ids and tool names that the provider accepts. */
  readonly conversation: Conversation
  /** Whether an unfinished document stays so: without messages, with white space at its end, with all its cache marks. */
  readonly isAsItCame: boolean
}

/** A part that is not written, or not completely, and why. */
export interface Dropped {
  readonly part: Part
  readonly why: LossReason
  /** Which leaves of it are not written; by default all. */
  readonly isGone?: (path: string) => boolean
}

/** A target format: how it writes parts, and what its provider requires. */
export interface Target {
  readonly format: Format | 'model-messages'
  readonly provider: Provider | null
  readonly rules: Rules
  /** One part in this format, without its native JSON; null when the format has no place for it. */
  readonly serialize: (part: Part, role: Role) => Json | null
  /** Whether the provider accepts a piece of this format's JSON from a role; if not, the part is serialized again. */
  readonly isSound: (json: Json, role: Role) => boolean
  /** Leaves out what is valid by itself, but not together with the rest. */
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
  /** Parses a piece of this format's JSON: one part, or a call and its result. */
  readonly parse: (json: Json, place: Place) => readonly Part[]
  /** Writes the document of a layout. */
  readonly put: (layout: Layout, express: Express) => Json
  /** The name of a role in the format. */
  readonly roleName: (role: Role) => string
  /** Whether the name of a role in another format is kept here, though it is not the usual one. */
  readonly keepsRoleOf?: (message: Message) => boolean
  /** The roles of the format. */
  readonly roles: readonly string[]
  /** Keys of a message that are in its parts and its role. */
  readonly partKeys: readonly string[]
  /** A piece of native JSON with the names that `serialize` uses, where the format has two names for a field. */
  readonly spelled?: (json: Json) => Json
  /** Whether a leaf of a part's native JSON is in the call and the result. */
  readonly isSaidByPair?: (part: Part, leaf: Leaf) => boolean
  /** What the provider would refuse, in plain words; empty when nothing. */
  readonly findInvalid: (json: Json) => readonly string[]
}
