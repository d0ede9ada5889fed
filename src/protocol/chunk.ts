import type { DataName, DataParts } from './data-parts.ts'
import type { Json } from './json.ts'

/** Extra facts for a reader that knows us; exactly two levels, as the AI SDK demands. */
export type ProviderMetadata = Readonly<Record<string, Readonly<Record<string, Json>>>>
/** Facts about a whole message. */
export type MessageMetadata = Readonly<Record<string, Json>>
/** Why a message ended: the six reasons that every AI SDK release since 6.0.0 accepts. */
export type FinishReason = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other'

interface AgentTool {
  readonly toolCallId: string
  readonly providerExecuted?: boolean
  readonly dynamic?: boolean
}

/** A data part of ours on the wire. The same type and id replaces the data in place. */
export type DataChunk = {
  readonly [Name in DataName]: {
    readonly type: `data-${Name}`
    readonly id?: string
    readonly data: DataParts[Name]
  }
}[DataName]

/** One AI SDK UI message chunk, in the portable dialect: what the AI SDK 6.0.0 already knew. */
export type Chunk =
  | { readonly type: 'start'; readonly messageId: string; readonly messageMetadata?: MessageMetadata }
  | { readonly type: 'start-step' }
  | { readonly type: 'finish-step' }
  | { readonly type: 'text-start'; readonly id: string; readonly providerMetadata?: ProviderMetadata }
  | {
      readonly type: 'text-delta'
      readonly id: string
      readonly delta: string
      readonly providerMetadata?: ProviderMetadata
    }
  | { readonly type: 'text-end'; readonly id: string; readonly providerMetadata?: ProviderMetadata }
  | { readonly type: 'reasoning-start'; readonly id: string; readonly providerMetadata?: ProviderMetadata }
  | {
      readonly type: 'reasoning-delta'
      readonly id: string
      readonly delta: string
      readonly providerMetadata?: ProviderMetadata
    }
  | { readonly type: 'reasoning-end'; readonly id: string; readonly providerMetadata?: ProviderMetadata }
  | (AgentTool & { readonly type: 'tool-input-start'; readonly toolName: string; readonly title?: string })
  | { readonly type: 'tool-input-delta'; readonly toolCallId: string; readonly inputTextDelta: string }
  | (AgentTool & {
      readonly type: 'tool-input-available'
      readonly toolName: string
      readonly input: Json
      readonly title?: string
      readonly providerMetadata?: ProviderMetadata
    })
  | (AgentTool & {
      readonly type: 'tool-input-error'
      readonly toolName: string
      readonly input: Json
      readonly errorText: string
      readonly title?: string
      readonly providerMetadata?: ProviderMetadata
    })
  | { readonly type: 'tool-approval-request'; readonly approvalId: string; readonly toolCallId: string }
  | (AgentTool & {
      readonly type: 'tool-output-available'
      readonly output: Json
      readonly preliminary?: boolean
    })
  | (AgentTool & { readonly type: 'tool-output-error'; readonly errorText: string })
  | { readonly type: 'tool-output-denied'; readonly toolCallId: string }
  | {
      readonly type: 'source-url'
      readonly sourceId: string
      readonly url: string
      readonly title?: string
      readonly providerMetadata?: ProviderMetadata
    }
  | {
      readonly type: 'source-document'
      readonly sourceId: string
      readonly mediaType: string
      readonly title: string
      readonly filename?: string
      readonly providerMetadata?: ProviderMetadata
    }
  | {
      readonly type: 'file'
      readonly url: string
      readonly mediaType: string
      readonly providerMetadata?: ProviderMetadata
    }
  | DataChunk
  | { readonly type: 'message-metadata'; readonly messageMetadata: MessageMetadata }
  | { readonly type: 'error'; readonly errorText: string }
  | { readonly type: 'abort' }
  | {
      readonly type: 'finish'
      readonly finishReason?: FinishReason
      readonly messageMetadata?: MessageMetadata
    }

/** The main conversation (`null`), or the work of a subagent, named by the tool call that started it. */
export type Thread = string | null

/** A chunk and the thread it belongs to. */
export interface ThreadChunk {
  readonly thread: Thread
  readonly chunk: Chunk
}
