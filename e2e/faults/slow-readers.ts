import { request } from 'node:http'
import { WebSocket } from 'ws'
import type { Step } from '../../src/agents/scripted/script.ts'
import type { Checks } from '../checks.ts'
import { createCaller, type Caller } from '../caller.ts'
import type { ServerProcess } from '../server-process.ts'
import { readFrames } from './sse-reader.ts'

const session = 'slow'
const outputs = 800
const outputBytes = 50_000
const mebibyte = 1 << 20

/** 40 MB flow past readers that have stopped reading: they cost next to nothing, others get everything, and one that wakes up misses nothing. */
export async function slowReaders(server: ServerProcess, { check }: Checks): Promise<void> {
  const caller = createCaller(server)
  const steps = Array.from({ length: outputs }, (): Step => ({ type: 'long-output', length: outputBytes }))
  await caller.createSession(session, steps)
  const stalled = [stallSse(server, caller), stallSocket(server, caller)]
  await caller.prompt(session)
  const path = `${server.url}/api/sessions/${session}/entries?after=0`
  let seq = 0
  let holes = 0
  const reading = readFrames(path, caller.headers, ({ id, data }) => {
    if (Number(id) !== ++seq) holes += 1
    return data.includes('"interaction-ended"')
  })
  let most = 0
  const watching = setInterval(() => {
    void backlog(server, caller).then(bytes => {
      most = Math.max(most, bytes)
    })
  }, 200)
  const frames = await reading
  clearInterval(watching)
  const flowed = frames.reduce((sum, { data }) => sum + data.length, 0)
  check(
    holes === 0 && flowed > 30 * mebibyte,
    `a reader beside them gets all ${Math.round(flowed / mebibyte)} MiB`,
  )
  check(
    most <= 2 * mebibyte,
    `what waits for two stalled readers is at most ${(most / mebibyte).toFixed(2)} MiB`,
  )

  const [sse, socket] = stalled
  const woken = await sse?.wake()
  check(woken === true, 'a reader that wakes up continues without a gap, or is asked to reconnect')
  check((await socket?.wake()) === true, 'a socket that did not read continues, or is closed with 4008')
}

async function backlog({ url }: ServerProcess, { headers }: Caller): Promise<number> {
  const text = await (await fetch(`${url}/metrics`, { headers })).text()
  return Number(/^dragoman_backlog_bytes(?:\{[^}]*\})? (\S+)$/m.exec(text)?.[1] ?? 'NaN')
}

interface Stalled {
  /** Reads again; whether nothing was missing up to the end of the stream, or up to where it was cut off. */
  wake(): Promise<boolean>
}

function stallSse({ url }: ServerProcess, { headers }: Caller): Stalled {
  const { promise, resolve } = Promise.withResolvers<() => Promise<boolean>>()
  const outgoing = request(
    `${url}/api/sessions/${session}/entries?after=0`,
    { headers: { ...headers, accept: 'text/event-stream' } },
    answer => {
      answer.pause()
      resolve(
        () =>
          new Promise(done => {
            let text = ''
            const judge = () => {
              const seqs = [...text.matchAll(/^id: (\d+)$/gm)].map(([, seq]) => Number(seq))
              done(seqs.length > 0 && seqs.every((seq, at) => seq === at + 1))
            }
            answer.setEncoding('utf8').on('data', (piece: string) => {
              text += piece
              if (!text.slice(-200_000).includes('"interaction-ended"')) return
              judge()
              answer.destroy()
            })
            answer.on('error', judge).on('end', judge).resume()
          }),
      )
    },
  )
  outgoing.end()
  return { wake: async () => (await promise)() }
}

function stallSocket({ url }: ServerProcess, { headers }: Caller): Stalled {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/ws`, { headers })
  const seqs: number[] = []
  const over = Promise.withResolvers<number | null>()
  socket.on('open', () => {
    socket.send(JSON.stringify({ type: 'follow', session, after: 0 }))
    socket.pause()
  })
  socket.on('message', (data: Buffer) => {
    const { entries = [] } = JSON.parse(data.toString()) as {
      entries?: { seq: number; event: { type: string } }[]
    }
    seqs.push(...entries.map(({ seq }) => seq))
    if (entries.some(({ event }) => event.type === 'interaction-ended')) over.resolve(null)
  })
  socket.on('close', code => over.resolve(code)).on('error', () => over.resolve(1006))
  return {
    async wake() {
      socket.resume()
      const code = await over.promise
      socket.terminate()
      const isWhole = seqs.every((seq, at) => seq === at + 1)
      return isWhole && (code === null || code === 4008 || code === 1006)
    },
  }
}
