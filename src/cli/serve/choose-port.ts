import { once } from 'node:events'
import { createServer } from 'node:net'
import { isDragomanError } from '../../protocol/error.ts'
import { cannotListen } from '../../server/node/serve.ts'
import type { Configuration } from '../configuration/keys.ts'

/** The port of a server without settings, if it is free. */
export const defaultPort = 4400

const mostTries = 100

/** The configured port, or the next free one from the default. Throws if it cannot be listened on. */
export async function choosePort({ host, port }: Pick<Configuration, 'host' | 'port'>): Promise<number> {
  for (let next = port ?? defaultPort; ; next++) {
    try {
      await tryPort(host, next)
      return next
    } catch (error) {
      const isLast = port !== null || next - defaultPort === mostTries
      if (isLast || !isDragomanError(error, 'address-in-use')) throw error
    }
  }
}

async function tryPort(host: string, port: number): Promise<void> {
  const server = createServer()
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw cannotListen(error as NodeJS.ErrnoException, host, port)
  }
  server.close()
  await once(server, 'close')
}
