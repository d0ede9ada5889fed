import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

/** A Redis server of our own. */
export interface RedisServer extends AsyncDisposable {
  readonly url: string
}

/** Starts one on a free port of the loopback, in memory only; undefined when Redis is not installed. */
export async function startRedis(folder: string): Promise<RedisServer | undefined> {
  const port = await freePort()
  const own = ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder]
  const child = spawn('redis-server', [...own, '--save', '', '--appendonly', 'no'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const end = () => child.kill()
  process.once('exit', end)
  const isReady = Promise.withResolvers<boolean>()
  child.once('error', () => isReady.resolve(false))
  child.once('exit', () => isReady.resolve(false))
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (text.includes('Ready to accept connections')) isReady.resolve(true)
  })
  if (!(await isReady.promise)) return undefined
  return {
    url: `redis://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      process.removeListener('exit', end)
      const ended = once(child, 'exit')
      end()
      await ended
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
