import type { ToolEffect, ToolFamily } from '../protocol/known-tools.ts'
import type { Resource } from '../protocol/tool-call/resources.ts'
import type { Message, Part } from './formats/conversation.ts'
import type { Ledger } from './ledger.ts'

/** The conversation of one branch as the compiler sees it: canonical messages in order, and what tools made of them. */
export interface History {
  readonly session: string
  /** The standing instructions; never touched. */
  readonly system: readonly Part[]
  /** In order. A message that did not change is the same object as in an earlier history: that makes compiling quick. */
  readonly messages: readonly HistoryMessage[]
  /** The changes of the validity of parts. */
  readonly ledger: Ledger
}

/** One message in its place. */
export interface HistoryMessage {
  readonly message: Message
  readonly interaction: string
  /** Journal time in milliseconds. */
  readonly at: number
  /**
   * Counts model requests from 1. An assistant's message has the number of the request that gave it;
   * any other message that of the first request that sends it.
   */
  readonly step: number
  /** The tool pairs whose call is in this message. */
  readonly pairs: readonly ToolPair[]
  /** The id of each part in the stream of chunks, where the message was made from one. */
  readonly names?: readonly (string | null)[]
}

/** How a tool call went. */
export type PairOutcome = 'pending' | 'success' | 'failure'

/** A tool call and its result: they are valid, cleared and moved together. */
export interface ToolPair {
  /** The id of the call's part. */
  readonly call: string
  /** The id that the agent gave the call; its result has the same. */
  readonly callId: string
  readonly tool: string
  readonly family: ToolFamily
  /** Who may change it: a toolset's name, set by the driver, never by the model. */
  readonly owner: string
  readonly effect: ToolEffect
  readonly resources: readonly Resource[]
  readonly interaction: string
  readonly step: number
}
