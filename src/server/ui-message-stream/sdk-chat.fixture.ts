import * as latest7 from 'ai'
import * as first6 from 'ai-6-0-0'
import * as first7 from 'ai-7-0-0'
import * as latest6 from 'ai6'
import { onTestFinished } from 'vitest'
import type { Served } from '../streams/served.fixture.ts'

/** A message as a client holds it. */
export interface HeldMessage {
  readonly id: string
  readonly role: string
  readonly metadata?: unknown
  readonly parts: readonly (Readonly<Record<string, unknown>> & { readonly type: string })[]
}

/** A chat of the AI SDK, as `useChat` has it without its hooks. */
export interface SdkChat {
  readonly id: string
  messages: readonly HeldMessage[]
  readonly status: string
  readonly error: Error | undefined
  sendMessage(message?: { readonly text: string; readonly messageId?: string }): Promise<void>
  regenerate(options?: { readonly messageId?: string }): Promise<void>
  resumeStream(): Promise<void>
  stop(): Promise<void>
  addToolApprovalResponse(answer: { id: string; approved: boolean; reason?: string }): Promise<void>
}

/** The releases whose clients must work with us. */
export type Release = '6.0.0' | '6.x' | '7.0.0' | '7.x'
/** All of them. */
export const releases: readonly Release[] = ['6.0.0', '6.x', '7.0.0', '7.x']

interface Sdk {
  readonly AbstractChat: new (options: Readonly<Record<string, unknown>>) => SdkChat
  readonly DefaultChatTransport: new (options: Readonly<Record<string, unknown>>) => unknown
}

const sdks = { '6.0.0': first6, '6.x': latest6, '7.0.0': first7, '7.x': latest7 } as unknown as Readonly<
  Record<Release, Sdk>
>

/** What `useChat` keeps in React, kept in a plain object. */
function createState(messages: readonly HeldMessage[]) {
  return {
    status: 'ready',
    error: undefined,
    messages: [...messages],
    pushMessage(message: HeldMessage) {
      this.messages = [...this.messages, message]
    },
    popMessage() {
      this.messages = this.messages.slice(0, -1)
    },
    replaceMessage(index: number, message: HeldMessage) {
      this.messages = this.messages.with(index, structuredClone(message))
    },
    snapshot: <Value>(value: Value): Value => structuredClone(value),
  }
}

/** What a chat may be opened with. */
export interface SdkChatOptions {
  readonly messages?: readonly HeldMessage[]
  readonly transport?: unknown
  readonly sendAutomaticallyWhen?: unknown
  readonly api?: string
}

/** Opens a chat of a release, over HTTP unless another transport is given. */
export function openSdkChat(
  served: Served,
  release: Release,
  id: string,
  options: SdkChatOptions = {},
): SdkChat {
  const { AbstractChat, DefaultChatTransport } = sdks[release]
  const transport =
    options.transport ??
    new DefaultChatTransport({ api: options.api ?? `${served.url}/api/chat`, headers: served.headers })
  const chat = new AbstractChat({
    id,
    transport,
    state: createState(options.messages ?? []),
    sendAutomaticallyWhen: options.sendAutomaticallyWhen,
    onError: () => {},
  })
  onTestFinished(() => chat.stop())
  return chat
}

/** The text of a message. */
export const textOf = (message: HeldMessage | undefined): string =>
  message?.parts.flatMap(part => (part.type === 'text' ? [String(part['text'])] : [])).join('') ?? ''
