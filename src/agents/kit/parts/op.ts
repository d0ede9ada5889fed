import type {
  Chunk,
  DataChunk,
  FinishReason,
  MessageMetadata,
  ProviderMetadata,
} from '../../../protocol/chunk.ts'
import type { DataParts, Tokens } from '../../../protocol/data-parts.ts'
import type { Json } from '../../../protocol/json.ts'

/**
 * One thing that an agent did, in a form that all agents share. A `key` is the agent's own name for a piece of text or
 * thinking (a block's index, an item's id); it must be unique within one message. A `call` is a tool call's
 * native id. It is unique across threads, because a thread has the id of the call that started it.
 */
export type Op =
  /** It starts working: the message starts now, before there is any content. */
  | { readonly type: 'begin' }
  /** It continues the answer that it finished last. */
  | { readonly type: 'resume' }
  /** Facts about the session. Shown with the next message, or at once if one is open. */
  | { readonly type: 'session'; readonly data: Partial<DataParts['session']> }
  /** More text, or more thinking. */
  | { readonly type: 'text' | 'thinking'; readonly key: string; readonly delta: string }
  /** A piece of text or thinking is complete. */
  | { readonly type: 'end'; readonly key: string; readonly providerMetadata?: ProviderMetadata }
  /** Thinking without text: only a provider's signature, which must be sent back to the provider. */
  | { readonly type: 'sealed'; readonly key: string; readonly providerMetadata: ProviderMetadata }
  /** The complete text of a piece, streamed before or not. Only the missing part is added. */
  | {
      readonly type: 'final'
      readonly kind: 'text' | 'thinking'
      readonly key: string
      readonly text: string
      readonly providerMetadata?: ProviderMetadata
    }
  /** The text of a piece so far; more may follow. Only the missing part is added. */
  | {
      readonly type: 'so-far'
      readonly kind: 'text' | 'thinking'
      readonly key: string
      readonly text: string
    }
  /** A tool call whose input will be streamed. */
  | { readonly type: 'call'; readonly call: string; readonly tool: string; readonly title?: string }
  | { readonly type: 'call-input'; readonly call: string; readonly delta: string }
  /** A tool call with its complete input, which replaces a streamed one. */
  | {
      readonly type: 'call-ready'
      readonly call: string
      readonly tool: string
      readonly input: Json
      readonly title?: string
      readonly providerMetadata?: ProviderMetadata
    }
  /** The output of a call, at any later time; `preliminary` if more will follow. */
  | { readonly type: 'result'; readonly call: string; readonly output: Json; readonly preliminary?: boolean }
  /** The error of a call, including denials. */
  | { readonly type: 'failure'; readonly call: string; readonly error: string }
  /** It asks for approval of a call; with its own input, tool and facts if the request has them. */
  | {
      readonly type: 'ask'
      readonly call: string
      readonly approval: string
      readonly input?: Json
      readonly about?: AskedAs
    }
  /** An update about the subagent that a call started; a status other than `running` ends its thread. */
  | { readonly type: 'subagent'; readonly call: string; readonly news: Partial<DataParts['subagent']> }
  /** It retracts pieces and calls of the current message, by key and call id. */
  | { readonly type: 'retract'; readonly keys: readonly string[] }
  /** A part that is complete in itself. */
  | { readonly type: 'show'; readonly chunk: WholePart }
  /** A line that is too long to read, with its beginning. It ends the waiting calls that are named there. */
  | { readonly type: 'unread'; readonly chunk: DataChunk; readonly beginning: string }
  /** One request to the model is over; the next content begins a new step. */
  | { readonly type: 'step-end' }
  /** The answer is over. */
  | ({ readonly type: 'finish' } & Ending)

/** Shows a notice to the person. A notice with an id replaces an earlier one with the same id. */
export function notice(level: DataParts['notice']['level'], code: string, message: string, id?: string): Op {
  const data = { level, code, message }
  return { type: 'show', chunk: { type: 'data-notice', ...(id !== undefined && { id }), data } }
}

/** Details of an approval beside the input. */
export interface AskedAs {
  readonly tool: string
  readonly providerMetadata?: ProviderMetadata
}

/** A chunk that is a whole part. */
export type WholePart =
  | DataChunk
  | Extract<Chunk, { readonly type: 'file' | 'source-url' | 'source-document' }>

/** How an answer ended, with its cost, tokens and duration. */
export interface Ending {
  readonly reason: 'finished' | 'interrupted' | 'failed'
  /** Whether it may continue later: then calls and subagents keep waiting. */
  readonly pauses?: boolean
  /** Why the model stopped, if not simply because it was done. */
  readonly finishReason?: FinishReason
  readonly cost?: number
  readonly tokens?: Tokens
  /** In milliseconds. */
  readonly duration?: number
  /** What went wrong: a kind for programs, a sentence for people. */
  readonly error?: { readonly kind: string; readonly message: string }
  /** More metadata of the message, in the agent's own form. */
  readonly metadata?: MessageMetadata
}
