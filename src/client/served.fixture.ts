import { openDragoman, type Opened } from '../server/dragoman.fixture.ts'
import { serve } from '../server/node/serve.ts'
import { createClient, type Client, type ClientOptions } from './create-client.ts'

/** A real server on a port of its own, with the scripted agent. */
export interface Served extends AsyncDisposable {
  readonly url: string
  readonly token: string
  readonly opened: Opened
  /** A client of it; it is closed with the server. */
  client(options?: ClientOptions): Client
}

/** Starts a server on a fresh folder. */
export async function startServer(port = 0): Promise<Served> {
  const opened = await openDragoman()
  const serving = await serve({ dragoman: opened.dragoman, port })
  const { token } = opened.dragoman
  const clients: Client[] = []
  return {
    url: serving.url,
    token,
    opened,
    client(options) {
      const client = createClient({ url: serving.url, token, ...options })
      clients.push(client)
      return client
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.close()
      await serving[Symbol.asyncDispose]()
      await opened[Symbol.asyncDispose]()
    },
  }
}

/** Waits until something is so, as a screen would see it. */
export async function until(check: () => boolean, what = 'it', milliseconds = 15_000): Promise<void> {
  const end = Date.now() + milliseconds
  while (!check()) {
    if (Date.now() > end) throw new Error(`${what} did not happen in ${milliseconds} ms`)
    await new Promise(resolve => setTimeout(resolve, 5))
  }
}
