import type { MessageMetadata, ProviderMetadata } from './chunk.ts'
import type { DataName, DataParts } from './data-parts.ts'
import type { Json } from './json.ts'

interface ToolPartBase {
  readonly type: 'dynamic-tool'
  readonly toolName: string
  readonly toolCallId: string
  readonly title?: string
  readonly providerExecuted?: boolean
}

/** The state of an approval of a tool call. */
export interface ToolApproval {
  readonly id: string
  readonly approved?: boolean
  readonly reason?: string
}

/** A tool call in a message, in one of the states that the AI SDK knows. */
export type ToolPart = ToolPartBase &
  (
    | { readonly state: 'input-streaming'; readonly input: Json | undefined; readonly rawInput?: Json }
    | {
        readonly state: 'input-available'
        readonly input: Json
        readonly callProviderMetadata?: ProviderMetadata
      }
    | {
        readonly state: 'approval-requested' | 'approval-responded' | 'output-denied'
        readonly input: Json
        readonly approval: ToolApproval
        readonly callProviderMetadata?: ProviderMetadata
      }
    | {
        readonly state: 'output-available'
        readonly input: Json
        readonly output: Json
        readonly preliminary?: boolean
        readonly approval?: ToolApproval
        readonly callProviderMetadata?: ProviderMetadata
      }
    | {
        readonly state: 'output-error'
        readonly input: Json | undefined
        readonly rawInput?: Json
        readonly errorText: string
        readonly approval?: ToolApproval
        readonly callProviderMetadata?: ProviderMetadata
        readonly resultProviderMetadata?: ProviderMetadata
      }
  )

/** A data part in a message. */
export type DataPart = {
  readonly [Name in DataName]: {
    readonly type: `data-${Name}`
    readonly id?: string
    readonly data: DataParts[Name]
  }
}[DataName]

/** One part of a message. */
export type MessagePart =
  | {
      readonly type: 'text'
      readonly text: string
      readonly state?: 'streaming' | 'done'
      readonly providerMetadata?: ProviderMetadata
    }
  | {
      readonly type: 'reasoning'
      readonly id?: string
      readonly text: string
      readonly state?: 'streaming' | 'done'
      readonly providerMetadata?: ProviderMetadata
    }
  | ToolPart
  | {
      readonly type: 'file'
      readonly url: string
      readonly mediaType: string
      readonly filename?: string
      readonly providerMetadata?: ProviderMetadata
    }
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
  | { readonly type: 'step-start' }
  | DataPart

/** An AI SDK UI message. It is equal to the message that a client assembles from the chunks. */
export interface Message {
  readonly id: string
  readonly role: 'user' | 'assistant' | 'system'
  readonly metadata?: MessageMetadata
  readonly parts: readonly MessagePart[]
}

/** What a person may put into a prompt. */
export type PromptPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'file'; readonly url: string; readonly mediaType: string; readonly filename?: string }
