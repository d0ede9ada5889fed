import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'

/** What the page needs of a `useChat`, of whatever release. */
interface Chat {
  readonly messages: readonly ChatMessage[]
  readonly status: string
  readonly error: Error | undefined
  sendMessage(message: { readonly text: string; readonly messageId?: string }): Promise<void>
  regenerate(): Promise<void>
  stop(): Promise<void>
  addToolApprovalResponse(answer: { readonly id: string; readonly approved: boolean }): unknown
}

interface ChatMessage {
  readonly id: string
  readonly parts: readonly {
    readonly state?: string
    readonly approval?: { readonly id: string; readonly approved?: boolean }
  }[]
}

/** A release of the AI SDK, as a page imports it. */
export interface Sdk {
  readonly useChat: (options: object) => unknown
  readonly Transport: new (options: object) => object
}

declare global {
  interface Window {
    /** The state of the chat, for the test to read. */
    chat: { readonly messages: readonly unknown[]; readonly status: string; readonly error: string | null }
    chatReady: boolean
  }
}

/**
 * An ordinary page with stock `useChat`: history without the running message, resumed on load, with separate
 * calls for stop and approval.
 */
export function showChat({ useChat, Transport }: Sdk): void {
  const id = new URLSearchParams(location.search).get('chat') ?? ''
  const session = `/api/sessions/${id}`
  const post = (path: string, body: object) =>
    fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  function Conversation({ history }: { readonly history: readonly ChatMessage[] }) {
    const [transport] = useState(() => new Transport({ api: '/api/chat' }))
    const chat = useChat({ id, messages: history, resume: true, transport }) as Chat
    window.chat = { messages: chat.messages, status: chat.status, error: chat.error?.message ?? null }
    const asked = chat.messages
      .flatMap(({ parts }) => parts)
      .find(({ state, approval }) => state === 'approval-requested' && approval?.approved === undefined)
    const [text, setText] = useState('')
    useEffect(() => {
      window.chatReady = true
    }, [])
    const answer = async (approved: boolean) => {
      const approval = asked?.approval?.id ?? ''
      await post(`${session}/approvals/${approval}`, { approved })
      chat.addToolApprovalResponse({ id: approval, approved })
    }
    return (
      <main>
        <output>{chat.status}</output>
        <pre>{JSON.stringify(chat.messages.at(-1)?.parts, null, 1)}</pre>
        <input name="text" value={text} onChange={event => setText(event.target.value)} />
        <button name="send" onClick={() => void chat.sendMessage({ text })} />
        <button name="stop" onClick={() => void post(`${session}/interrupt`, {})} />
        <button name="disconnect" onClick={() => void chat.stop()} />
        <button name="regenerate" onClick={() => void chat.regenerate()} />
        {asked !== undefined && <button name="allow" onClick={() => void answer(true)} />}
        {asked !== undefined && <button name="deny" onClick={() => void answer(false)} />}
      </main>
    )
  }

  const root = createRoot(document.body)
  void (async () => {
    const response = await fetch(`${session}/messages?exclude=running&limit=1000`)
    const { messages } = response.ok
      ? ((await response.json()) as { messages: readonly ChatMessage[] })
      : { messages: [] }
    root.render(<Conversation history={messages} />)
  })()
}
