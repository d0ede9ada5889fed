import { request, type IncomingMessage } from 'node:http'
import { WebSocket } from 'ws'
import { answerBench } from './part.ts'
import type { EntriesAsked, EntriesTold } from './entries-asked.ts'

// Many clients of many sessions, in a separate process. They read only the numbers of entries.
const answers: IncomingMessage[] = []
const sockets: WebSocket[] = []
let entries = 0
let faults = 0

answerBench(async (asked: EntriesAsked): Promise<EntriesTold> => {
  if (asked.type === 'join') await join(asked)
  if (asked.type === 'leave') leave()
  return { entries, faults }
})

async function join({ urls, headers, over, reads }: Extract<EntriesAsked, { type: 'join' }>): Promise<void> {
  for (let from = 0; from < urls.length; from += 50)
    await Promise.all(
      urls
        .slice(from, from + 50)
        .map(url => (over === 'sse' ? joinSse(url, headers, reads) : joinSocket(url, headers, reads))),
    )
}

function leave(): void {
  for (const answer of answers.splice(0)) answer.destroy()
  for (const socket of sockets.splice(0)) socket.terminate()
  entries = 0
  faults = 0
}

function joinSse(url: string, headers: Readonly<Record<string, string>>, reads: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { headers: { ...headers, accept: 'text/event-stream' }, agent: false },
      answer => {
        answers.push(answer)
        if (answer.statusCode !== 200) return reject(new Error(`${url} gave ${answer.statusCode}`))
        answer.on('error', () => undefined)
        if (!reads) answer.pause()
        else listen(answer)
        resolve()
      },
    )
    outgoing.on('error', reject)
    outgoing.end()
  })
}

function listen(answer: IncomingMessage): void {
  let last = 0
  let rest = ''
  answer.setEncoding('latin1').on('data', (piece: string) => {
    const text = rest + piece
    const end = text.lastIndexOf('\n\n')
    if (end === -1) return void (rest = text)
    rest = text.slice(end + 2)
    for (const [, id] of text.slice(0, end).matchAll(/^id: (\d+)$/gm)) {
      const seq = Number(id)
      if (last !== 0 && seq !== last + 1) faults += 1
      last = seq
      entries += 1
    }
  })
}

function joinSocket(url: string, headers: Readonly<Record<string, string>>, reads: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const { searchParams, origin, pathname } = new URL(url)
    const socket = new WebSocket(`${origin.replace('http', 'ws')}${pathname}`, {
      headers,
      perMessageDeflate: false,
    })
    sockets.push(socket)
    socket.on('open', () => {
      const session = searchParams.get('session')
      if (session !== null)
        socket.send(JSON.stringify({ type: 'follow', session, after: Number(searchParams.get('after')) }))
      if (!reads) socket.pause()
      resolve()
    })
    socket.on('error', reject)
  })
}
