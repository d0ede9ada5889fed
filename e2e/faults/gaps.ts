import { WebSocket } from 'ws'
import type { Checks } from '../checks.ts'
import { createCaller } from '../caller.ts'
import type { ServerProcess } from '../server-process.ts'
import { readFrames } from './sse-reader.ts'

const session = 'gaps'
const words = 5000

/** From whichever entry a client comes back, it gets exactly the rest, byte for byte, over SSE and over WebSocket. */
export async function gaps(server: ServerProcess, { check }: Checks, every: number): Promise<void> {
  const caller = createCaller(server)
  const text = Array.from({ length: words }, (_, at) => `word${at}`).join(' ')
  await caller.createSession(session, [{ type: 'text', text }])
  await caller.prompt(session)
  await caller.whenIdle(session)
  // The agent ends after a rest; its last entries must not come during this check.
  const { head } = await caller.call<{ head: number }>('GET', `/api/sessions/${session}/entries?limit=1`)

  const entriesAfter = async (after: number) => {
    const path = `/api/sessions/${session}/entries?after=${after}`
    const frames = await readFrames(server.url + path, caller.headers, ({ id }) => Number(id) >= head)
    return frames.map(({ data }) => data)
  }
  const whole = await entriesAfter(0)
  let wrong = 0
  let tried = 0
  for (let after = 0; after < head; after += every) {
    const [overSse, overSocket] = await Promise.all([
      entriesAfter(after),
      after % (every * 10) === 0 ? entriesOverSocket(server, caller.headers, after, head) : null,
    ])
    const rest = whole.slice(after)
    tried += 1
    if (overSse.join('\n') !== rest.join('\n')) wrong += 1
    if (overSocket !== null && overSocket.join('\n') !== rest.join('\n')) wrong += 1
  }
  check(whole.length === head && head > words, `a session of ${head} entries is read completely`)
  check(wrong === 0, `resuming at ${tried} entries of it: ${wrong} readers got something else than the rest`)
}

/** The entries after a seq as the texts they have in the frames. */
function entriesOverSocket(
  { url }: ServerProcess,
  headers: Readonly<Record<string, string>>,
  after: number,
  head: number,
): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/api/ws`, { headers })
    const texts: string[] = []
    socket.on('open', () => socket.send(JSON.stringify({ type: 'follow', session, after })))
    socket.on('message', (data: Buffer) => {
      const frame = JSON.parse(data.toString()) as { type: string; entries?: { seq: number }[] }
      for (const entry of frame.entries ?? []) texts.push(JSON.stringify(entry))
      if (frame.entries?.at(-1)?.seq !== head) return
      socket.terminate()
      resolve(texts)
    })
    socket.on('error', reject)
  })
}
