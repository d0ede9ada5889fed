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
 * One thing that an agent did, in the words that all agents share. A `key` is the agent's own name for a piece of text or
 * thinking (a block's index, an item's id): it need only tell pieces apart within one message. A `call` is a tool call's
 * native id, which names one call in all threads, since a thread bears the id of the call that started it.
 */
export type Op =
  /** It starts working: the message starts now, before there is any content. */
  | { readonly type: 'begin' }
  /** It goes on with the answer that it finished last. */
  | { readonly type: 'resume' }
  /** Who speaks. Shown with the next message, or at once when one is open. */
  | { readonly type: 'session'; readonly data: Partial<DataParts['session']> }
  /** More text, or more thinking. */
  | { readonly type: 'text' | 'thinking'; readonly key: string; readonly delta: string }
  /** A piece of text or thinking is complete. */
  | { readonly type: 'end'; readonly key: string; readonly providerMetadata?: ProviderMetadata }
  /** Thinking of which nothing is shown but a provider's seal, which must go back to it. */
  | { readonly type: 'sealed'; readonly key: string; readonly providerMetadata: ProviderMetadata }
  /** The whole of a piece, streamed before or not: only what is missing is added. */
  | {
      readonly type: 'final'
      readonly kind: 'text' | 'thinking'
      readonly key: string
      readonly text: string
      readonly providerMetadata?: ProviderMetadata
    }
  /** A piece so far; more may follow. Only the missing part is added. */
  | {
      readonly type: 'so-far'
      readonly kind: 'text' | 'thinking'
      readonly key: string
      readonly text: string
    }
  /** A tool call of which the input will be streamed. */
  | { readonly type: 'call'; readonly call: string; readonly tool: string; readonly title?: string }
  | { readonly type: 'call-input'; readonly call: string; readonly delta: string }
  /** A tool call with its whole input, streamed before or not: this input counts. */
  | {
      readonly type: 'call-ready'
      readonly call: string
      readonly tool: string
      readonly input: Json
      readonly title?: string
      readonly providerMetadata?: ProviderMetadata
    }
  /** What a call gave, at any time after it; `preliminary` when more will follow. */
  | { readonly type: 'result'; readonly call: string; readonly output: Json; readonly preliminary?: boolean }
  /** What the agent calls an error of a call, denials included. */
  | { readonly type: 'failure'; readonly call: string; readonly error: string }
  /** It asks whether a call may run, with this input, tool and facts where the question has its own. */
  | {
      readonly type: 'ask'
      readonly call: string
      readonly approval: string
      readonly input?: Json
      readonly about?: AskedAs
    }
  /** News of the subagent that a call started; a status other than `running` ends its thread. */
  | { readonly type: 'subagent'; readonly call: string; readonly news: Partial<DataParts['subagent']> }
  /** It retracts pieces and calls of the current message, by key and call id. */
  | { readonly type: 'retract'; readonly keys: readonly string[] }
  /** A part that is complete in itself. */
  | { readonly type: 'show'; readonly chunk: WholePart }
  /** A line too long to read, of which only the beginning is known. A call that waits and is named there has no other result. */
  | { readonly type: 'unread'; readonly chunk: DataChunk; readonly beginning: string }
  /** One request to the model is over; the next content begins a new step. */
  | { readonly type: 'step-end' }
  /** The answer is over. */
  | ({ readonly type: 'finish' } & Ending)

/** Details of an approval beside the input. */
export interface AskedAs {
  readonly tool: string
  readonly providerMetadata?: ProviderMetadata
}

/** A chunk that is a whole part. */
export type WholePart =
  | DataChunk
  | Extract<Chunk, { readonly type: 'file' | 'source-url' | 'source-document' }>

/** How an answer ended, and what it took. */
export interface Ending {
  readonly reason: 'finished' | 'interrupted' | 'failed'
  /** Whether it may go on: then calls and subagents wait for it. */
  readonly pauses?: boolean
  /** Why the model stopped, if the answer finished and it was not simply done. */
  readonly finishReason?: FinishReason
  readonly cost?: number
  readonly tokens?: Tokens
  /** In milliseconds. */
  readonly duration?: number
  /** What went wrong: a kind for programs, a sentence for people. */
  readonly error?: { readonly kind: string; readonly message: string }
  /** More facts about the message, in the agent's own words. */
  readonly metadata?: MessageMetadata
}
