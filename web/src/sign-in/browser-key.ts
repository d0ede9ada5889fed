import { createWritable, type Readable } from 'dragoman/client/readable'
import type { ClientOptions } from 'dragoman/client'
import { browserStorage } from '../drafts/browser-storage.ts'

/** The key that the page got when this browser signed in, read each time: another tab may have signed in again. */
const browserKey = (): string => browserStorage()?.getItem('dragoman:key') ?? ''

const signedOut = createWritable(false)

/** Whether the server refused the last call because this browser is not signed in. */
export const isSignedOut: Readable<boolean> = signedOut

/** Sends the key with each call; the cookie alone opens nothing but the app. */
const fetchWithKey: typeof fetch = async (address, init = {}) => {
  const headers = { ...(init.headers as Record<string, string>), 'x-dragoman-key': browserKey() }
  const response = await fetch(address, { ...init, headers })
  signedOut.set(response.status === 401)
  return response
}

/** A browser's WebSocket can send no header, so the key is the name of a subprotocol. The server chooses the first name. */
class WebSocketWithKey extends WebSocket {
  constructor(address: string) {
    super(address, ['dragoman', `dragoman-key.${browserKey()}`])
  }
}

/** How the page reaches its server. */
export const withBrowserKey: ClientOptions = {
  fetch: fetchWithKey,
  WebSocket: WebSocketWithKey as unknown as NonNullable<ClientOptions['WebSocket']>,
}
