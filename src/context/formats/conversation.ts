import type { Json } from '../../protocol/json.ts'

/** The wire formats that a conversation is read from and written to. */
export type Format = 'anthropic-messages' | 'openai-chat' | 'openai-responses' | 'gemini' | 'ui-messages'

/** The providers of seals. */
export type Provider = 'anthropic' | 'openai' | 'google'

/**
 * The exact JSON of a format. Typed fields are the truth: a writer of the same format starts from `json` and
 * lays the typed fields over it, so an unchanged part is written byte for byte, and a changed one keeps what the
 * typed fields do not have. You can change a field without dropping `native`.
 */
export interface Native {
  readonly format: Format
  readonly json: Json
}

/** The native JSON of a document, without its messages and system prompt. */
export interface NativeDocument extends Native {
  /** How many messages it had; null for one without a list of them. */
  readonly length: number | null
}

/** Opaque proof that a provider gave a part; it must come back unchanged, to that provider and to no other. */
export interface Seal {
  readonly provider: Provider
  /** Anthropic's `signature`, Gemini's `thoughtSignature`. */
  readonly signature?: string
  /** Anthropic's redacted thinking `data`, OpenAI's `encrypted_content`. */
  readonly encrypted?: string
  /** OpenAI's item id. */
  readonly item?: string
}

interface PartBase {
  /** Stable: the same JSON at the same position always has the same id. */
  readonly id: string
  readonly native?: Native
  readonly seal?: Seal
}

/** A text. */
export interface TextPart extends PartBase {
  readonly kind: 'text'
  readonly text: string
  /** The model refused: this text is its reason. */
  readonly isRefusal?: true
}

/** Reasoning of the model. The text is empty when only the seal is known. */
export interface ReasoningPart extends PartBase {
  readonly kind: 'reasoning'
  readonly text: string
}

/** Where a file's content is: base64, plain text, an address, or an id that one provider knows. */
export type FileSource =
  | { readonly data: string }
  | { readonly text: string }
  | { readonly url: string }
  | { readonly reference: string; readonly provider: Provider }

/** An image, a document, a sound. */
export interface FilePart extends PartBase {
  readonly kind: 'file'
  /** A media type, or as much of one as is known: `image/*`. */
  readonly mediaType: string
  readonly source: FileSource
  readonly name?: string
  /** The detail with which OpenAI reads a picture. */
  readonly detail?: string
}

/** A tool call of a model. */
export interface CallPart extends PartBase {
  readonly kind: 'call'
  /** The id of the call; its result has the same. */
  readonly call: string
  readonly tool: string
  readonly input: Json
  /** The exact bytes of the arguments, where the format has them. Leave it out when you change `input`. */
  readonly inputText?: string
  /** OpenAI's custom tools: the input is a text that is not JSON. */
  readonly isCustom?: true
  /** The user denied it, and gave this reason; empty when none. */
  readonly denial?: string
  /** The provider ran it itself: its result is in the same message. */
  readonly isProviderExecuted?: true
}

/** A JSON value in the result of a tool. */
export interface JsonPart extends PartBase {
  readonly kind: 'json'
  readonly value: Json
}

/** A piece of the result of a tool. */
export type ContentPart = TextPart | FilePart | JsonPart | UnknownPart

/** The result of a tool call. */
export interface ResultPart extends PartBase {
  readonly kind: 'result'
  readonly call: string
  /** Null when the format does not name it and no call of that id is known. */
  readonly tool: string | null
  readonly content: readonly ContentPart[]
  readonly isError: boolean
  readonly isProviderExecuted?: true
}

/** Anything else: kept, written again in the same format, left out (and reported) in others. */
export interface UnknownPart extends PartBase {
  readonly kind: 'unknown'
  /** The name of its type in the format. */
  readonly name: string
}

/** One part of a message: the unit of validity. */
export type Part = TextPart | ReasoningPart | FilePart | CallPart | ResultPart | UnknownPart

/** The role of a message. `tool`: nothing but results. A `user` message may have results too, as Anthropic sends them. */
export type Role = 'system' | 'user' | 'assistant' | 'tool'

/** One message; for OpenAI responses one item. */
export interface Message {
  readonly id: string
  readonly role: Role
  readonly parts: readonly Part[]
  /** The native JSON of the message, without its parts. */
  readonly native?: Native
}

/**
 * A conversation in no provider's format. A system prompt is in `system` where the format keeps it apart (Anthropic,
 * Gemini, `instructions`), and as messages of role `system` where it does not.
 */
export interface Conversation {
  readonly system: readonly Part[]
  readonly messages: readonly Message[]
  /** The native JSON of the document, without system prompt and messages: model, tools, settings. */
  readonly native?: NativeDocument
}

/** Why a leaf of the original is not in the written document. */
export type LossReason =
  | 'unsupported' // the format has no place for it
  | 'foreign-seal' // proof of another provider
  | 'reshaped' // it is there, but would not come back the same: argument bytes, joined texts
  | 'orphan' // a result without its call
  | 'duplicate' // a second result of one call
  | 'empty' // the provider refuses empty text

/** One leaf of the original that the written document does not have. */
export interface Loss {
  /** Null: of the system prompt or of the document. */
  readonly message: string | null
  /** Null: of the message itself. */
  readonly part: string | null
  /** JSON pointer into the native json of the part, message or document; typed field where there is none. */
  readonly path: string
  readonly why: LossReason
}

/** The result of writing. */
export interface Written {
  readonly json: Json
  readonly losses: readonly Loss[]
}
