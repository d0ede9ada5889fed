import type { FinishReason, ProviderMetadata } from '../../../protocol/chunk.ts'
import type { Tokens } from '../../../protocol/data-parts.ts'
import type { Json } from '../../../protocol/json.ts'

/** The supported APIs of models. */
export type Api = 'anthropic-messages' | 'openai-responses' | 'openai-chat' | 'gemini'

/** One event of a model's stream, in a form that all APIs share. A `key` distinguishes pieces of one response. */
export type WireEvent =
  | { readonly type: 'text' | 'thinking'; readonly key: string; readonly delta: string }
  /** A piece of text or thinking is complete; a seal is a signature that must be sent back to the provider. */
  | { readonly type: 'end'; readonly key: string; readonly seal?: ProviderMetadata }
  /** Thinking of which only the seal is known. */
  | { readonly type: 'sealed'; readonly key: string; readonly seal: ProviderMetadata }
  | {
      readonly type: 'call'
      readonly key: string
      /** Empty where the API names none. */
      readonly id: string
      readonly tool: string
      readonly isTheirs?: boolean
    }
  | { readonly type: 'call-input'; readonly key: string; readonly delta: string }
  /** The input as far as it is known, where it does not come from front to back. */
  | { readonly type: 'call-so-far'; readonly key: string; readonly input: string }
  /** A signature for the current piece, before its end. */
  | { readonly type: 'seal'; readonly key: string; readonly seal: ProviderMetadata }
  /** A call is complete; without an input, the streamed text is the input. */
  | {
      readonly type: 'call-ready'
      readonly key: string
      readonly id: string
      readonly tool: string
      readonly input?: Json
      /** The input as text, where it comes so. */
      readonly inputText?: string
      readonly seal?: ProviderMetadata
      /** The provider runs it itself. */
      readonly isTheirs?: boolean
    }
  /** The result of a tool that the provider ran; `call` is the id of the call. */
  | { readonly type: 'their-result'; readonly call: string; readonly output: Json; readonly isError: boolean }
  | { readonly type: 'file'; readonly url: string; readonly mediaType: string }
  | { readonly type: 'source'; readonly url: string; readonly title: string | null }
  /** The usage of the response so far; the last one counts. */
  | { readonly type: 'usage'; readonly tokens: Tokens }
  | { readonly type: 'model'; readonly model: string }
  /** Why the model stopped, in our terms and in its own. */
  | { readonly type: 'stop'; readonly reason: FinishReason; readonly native: string }
  /** The response came to its own end: nothing of it is missing. */
  | { readonly type: 'complete' }
  | { readonly type: 'error'; readonly kind: string; readonly message: string }
  | { readonly type: 'unknown'; readonly kind: string; readonly native: Json }

/** A piece or a call that has begun and not ended. */
export interface OpenPiece {
  readonly kind: 'text' | 'thinking' | 'call'
  readonly id: string
  readonly tool: string
  /** Of a call: its input so far. */
  readonly input: string
  readonly isTheirs: boolean
  /** Whether anything of it was sent. */
  readonly hasText: boolean
  readonly seal: ProviderMetadata | null
}

/** The state of a response that its next event needs. Immutable. */
export interface WireState {
  readonly api: Api
  readonly open: ReadonlyMap<string, OpenPiece>
  /** How many pieces and calls have begun: it names those without a name. */
  readonly begun: number
  readonly isStarted: boolean
  readonly hasCalls: boolean
  readonly isComplete: boolean
  readonly stop: { readonly reason: FinishReason; readonly native: string } | null
  readonly error: { readonly kind: string; readonly message: string } | null
}

/** The state before the first event of a response. */
export const initialWire = (api: Api): WireState => ({
  api,
  open: new Map(),
  begun: 0,
  isStarted: false,
  hasCalls: false,
  isComplete: false,
  stop: null,
  error: null,
})
