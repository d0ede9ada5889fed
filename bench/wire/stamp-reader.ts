import { stream } from '@durable-streams/client'
import { request } from 'node:http'
import { answerBench } from './part.ts'
import type { StampsAsked, StampsTold } from './stamps-asked.ts'

// Follows lines with the time at which they were written, and records how old each is when it arrives.
const ages: number[] = []
let lastAt = 0
let stop = () => {}

answerBench(async (asked: StampsAsked): Promise<StampsTold> => {
  if (asked.type === 'follow') {
    stop()
    ages.length = 0
    stop = asked.peer ? await followPeer(asked.url) : await followOurs(asked.url, asked.headers)
  }
  return { ages: asked.type === 'look' ? [...ages] : [], lastAt, count: ages.length }
})

const now = () => performance.timeOrigin + performance.now()

function hear(stamp: string): void {
  lastAt = now()
  ages.push(lastAt - Number(stamp))
}

function followOurs(url: string, headers: Readonly<Record<string, string>>): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { headers: { ...headers, accept: 'text/event-stream' } }, answer => {
      let rest = ''
      answer.setEncoding('utf8').on('data', (piece: string) => {
        const frames = (rest + piece).split('\n\n')
        rest = frames.pop() ?? ''
        for (const frame of frames) hear(/"delta":"([\d.]+)"/.exec(frame)?.[1] ?? '')
      })
      answer.on('error', () => undefined)
      resolve(() => answer.destroy())
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}

async function followPeer(url: string): Promise<() => void> {
  const abort = new AbortController()
  const response = await stream<{ readonly stamp: string }>({
    url,
    live: 'sse',
    offset: 'now',
    signal: abort.signal,
  })
  response.subscribeJson(async batch => {
    for (const { stamp } of batch.items) hear(stamp)
  })
  return () => abort.abort()
}
