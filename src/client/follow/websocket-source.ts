import type { Frame, OpenSource } from './source.ts'

/** What we use of a WebSocket. */
export interface WebSocketLike {
  readonly readyState: number
  onopen: ((event: never) => void) | null
  onmessage: ((event: { readonly data: unknown }) => void) | null
  onclose: ((event: { readonly code: number; readonly reason: string }) => void) | null
  onerror: ((event: never) => void) | null
  send(text: string): void
  close(code?: number): void
}

/** Makes WebSockets. Programs pass headers. Browsers cannot, and send their cookie. */
export type WebSocketMaker = new (
  url: string,
  options?: { readonly headers: Readonly<Record<string, string>> },
) => WebSocketLike

/** How a WebSocket is opened. */
export interface WebSocketOptions {
  readonly url: string
  readonly token?: string | undefined
  readonly WebSocket: WebSocketMaker
}

const isOpen = 1

/** Follows sessions over one WebSocket. */
export const webSocketSource =
  (options: WebSocketOptions): OpenSource =>
  events => {
    const socket = openSocket(options)
    const waiting: string[] = []
    const send = (frame: unknown) => {
      const text = JSON.stringify(frame)
      if (socket.readyState === isOpen) socket.send(text)
      else waiting.push(text)
    }
    Object.assign(socket, {
      onopen() {
        events.opened()
        for (const text of waiting.splice(0)) socket.send(text)
      },
      onmessage: ({ data }: { readonly data: unknown }) => events.frame(JSON.parse(String(data)) as Frame),
      onclose: ({ code, reason }: { readonly code: number; readonly reason: string }) =>
        events.closed(new Error(`The WebSocket closed: ${code} ${reason}`)),
      // The close event that follows has all details.
      onerror() {},
    } satisfies Partial<WebSocketLike>)
    return {
      follow: (session, after) => send({ type: 'follow', session, after }),
      unfollow: session => send({ type: 'unfollow', session }),
      watchSessions: isWanted => send({ type: isWanted ? 'follow-sessions' : 'unfollow-sessions' }),
      ping: () => send({ type: 'ping' }),
      close: () => socket.close(),
    }
  }

function openSocket({ url, token, WebSocket }: WebSocketOptions): WebSocketLike {
  const address = `${url.replace(/^http/, 'ws')}/api/ws`
  if (token === undefined) return new WebSocket(address)
  try {
    return new WebSocket(address, { headers: { authorization: `Bearer ${token}` } })
  } catch {
    // A browser takes the headers for a name of a protocol, and refuses them.
    return new WebSocket(address)
  }
}
