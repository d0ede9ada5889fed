import type { Json } from '../../protocol/json.ts'

/** The wire formats that a conversation is read from and written to. */
export type Format = 'anthropic-messages' | 'openai-chat' | 'openai-responses' | 'gemini' | 'ui-messages'

/** Who understands a seal. */
export type Provider = 'anthropic' | 'openai' | 'google'

/**
 * Words exactly as a format said them. Typed fields are the truth: a writer of the same format starts from `json` and
 * lays the typed fields over it, so a part nobody touched comes out byte for byte, and a changed one keeps what the
 * typed fields do not say. Nobody has to drop `native` when changing a field.
 */
export interface Native {
  readonly format: Format
  readonly json: Json
}

/** A document as a format said it, what it is made of taken out. */
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
  /** Stable: the same words at the same place have the same id, whoever reads them. */
  readonly id: string
  readonly native?: Native
  readonly seal?: Seal
}

/** Words. */
export interface TextPart extends PartBase {
  readonly kind: 'text'
  readonly text: string
  /** The model declined: these words are its reason. */
  readonly isRefusal?: true
}

/** What the model thought. Empty text when only the seal is known. */
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
  /** How closely OpenAI is to look at a picture. */
  readonly detail?: string
}

/** A model asks for a tool. */
export interface CallPart extends PartBase {
  readonly kind: 'call'
  /** Names the call; its result has the same. */
  readonly call: string
  readonly tool: string
  readonly input: Json
  /** The exact bytes of the arguments, where the format has them. Whoever changes `input` leaves this out. */
  readonly inputText?: string
  /** OpenAI's custom tools: it is asked with a text that is no JSON. */
  readonly isCustom?: true
  /** The user denied it, and gave this reason; empty when none. */
  readonly denial?: string
  /** The provider ran it itself: its result stands in the same message. */
  readonly isProviderExecuted?: true
}

/** A value that a tool gave. */
export interface JsonPart extends PartBase {
  readonly kind: 'json'
  readonly value: Json
}

/** What a tool's answer is made of. */
export type ContentPart = TextPart | FilePart | JsonPart | UnknownPart

/** What a tool answered. */
export interface ResultPart extends PartBase {
  readonly kind: 'result'
  readonly call: string
  /** Null when the format does not say and no call of that id is known. */
  readonly tool: string | null
  readonly content: readonly ContentPart[]
  readonly isError: boolean
  readonly isProviderExecuted?: true
}

/** Anything else a format said: kept, given back to that format, left out (and reported) elsewhere. */
export interface UnknownPart extends PartBase {
  readonly kind: 'unknown'
  /** What the format calls it. */
  readonly name: string
}

/** One part of a message: the unit of validity. */
export type Part = TextPart | ReasoningPart | FilePart | CallPart | ResultPart | UnknownPart

/** Who speaks. `tool`: nothing but results. A `user` message may have results too, as Anthropic sends them. */
export type Role = 'system' | 'user' | 'assistant' | 'tool'

/** One message; for OpenAI responses one item. */
export interface Message {
  readonly id: string
  readonly role: Role
  readonly parts: readonly Part[]
  /** The message as the format said it, its parts taken out. */
  readonly native?: Native
}

/**
 * A conversation in no provider's words. A system prompt stands in `system` where the format keeps it apart (Anthropic,
 * Gemini, `instructions`), and as messages of role `system` where it does not.
 */
export interface Conversation {
  readonly system: readonly Part[]
  readonly messages: readonly Message[]
  /** The document as the format said it, system and messages taken out: model, tools, settings. */
  readonly native?: NativeDocument
}

/** Why a leaf of the original is not in what was written. */
export type LossReason =
  | 'unsupported' // the format has no place for it
  | 'foreign-seal' // proof of another provider
  | 'reshaped' // it is there, but would not come back the same: argument bytes, joined texts
  | 'orphan' // a result without its call
  | 'duplicate' // a second result of one call
  | 'empty' // the provider refuses empty text

/** One leaf of the original that the written format does not say. */
export interface Loss {
  /** Null: of the system prompt or of the document. */
  readonly message: string | null
  /** Null: of the message itself. */
  readonly part: string | null
  /** JSON pointer into the native json of the part, message or document; typed field where there is none. */
  readonly path: string
  readonly why: LossReason
}

/** What writing gives. */
export interface Written {
  readonly json: Json
  readonly losses: readonly Loss[]
}
