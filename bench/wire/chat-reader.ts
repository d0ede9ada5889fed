import { request } from 'node:http'
import { answerBench } from './part.ts'
import type { ReadAsked, ReadTold } from './read-asked.ts'

// Reads streams of chunks as a browser's tab would, in a separate process, and counts the words in them.
answerBench(async ({ streams }: ReadAsked): Promise<ReadTold> => {
  const begin = performance.now()
  let first = Number.POSITIVE_INFINITY
  const hear = () => {
    first = Math.min(first, performance.now())
  }
  const read = await Promise.all(streams.map(wanted => readStream(wanted, hear)))
  const characters = read.reduce((sum, each) => sum + each, 0)
  const end = performance.now()
  return { milliseconds: end - begin, sinceFirst: end - first, characters }
})

interface Wanted {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

function readStream({ url, headers, body }: Wanted, hear: () => void): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { method: body === undefined ? 'GET' : 'POST', headers, agent: false },
      answer => {
        if (answer.statusCode !== 200) reject(new Error(`${url} gave ${answer.statusCode}`))
        let characters = 0
        let rest = ''
        answer.setEncoding('utf8').on('data', (piece: string) => {
          const lines = (rest + piece).split('\n')
          rest = lines.pop() ?? ''
          for (const line of lines) if (line.startsWith('data: {')) characters += deltaLength(line)
          if (characters > 0) hear()
        })
        answer.on('end', () => resolve(characters)).on('error', reject)
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/** The text that a chunk adds. */
function deltaLength(line: string): number {
  const chunk = JSON.parse(line.slice(6)) as { readonly type: string; readonly delta?: string }
  return chunk.type === 'text-delta' ? (chunk.delta?.length ?? 0) : 0
}
