import { onTestFinished } from 'vitest'
import { WebSocket, type ClientOptions } from 'ws'
import type { Entry } from '../../protocol/entry.ts'
import type { Served } from '../streams/served.fixture.ts'

/** A frame as it came. */
export type Heard = Readonly<Record<string, unknown>> & { readonly type: string }

/** A client's end of a WebSocket. */
export interface Talk {
  readonly socket: WebSocket
  readonly frames: readonly Heard[]
  say(frame: unknown): void
  /** Resolves when the frames are as one wants them. */
  until(isSo: (frames: readonly Heard[]) => boolean): Promise<readonly Heard[]>
  /** Resolves with the next frame of a type. */
  next(type: string): Promise<Heard>
  /** Resolves with the code when it is closed. */
  readonly closed: Promise<number>
  /** The numbers of the entries that came of a session. */
  seqs(session: string): readonly number[]
}

/** Opens a WebSocket with the token, for the time of a test. */
export async function talk(served: Served, path = '/api/ws', options: ClientOptions = {}): Promise<Talk> {
  const socket = new WebSocket(`${served.url.replace('http', 'ws')}${path}`, {
    headers: served.headers,
    ...options,
  })
  const frames: Heard[] = []
  const lookers = new Set<() => void>()
  socket.on('message', data => {
    frames.push(JSON.parse((data as Buffer).toString()) as Heard)
    for (const look of lookers) look()
  })
  // The close event reports what happened.
  socket.on('error', () => {})
  const closed = new Promise<number>(resolve => socket.once('close', resolve))
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  const until: Talk['until'] = isSo =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`Waited in vain; last: ${JSON.stringify(frames.at(-1)).slice(0, 500)}`)),
        60_000,
      )
      const look = () => {
        if (!isSo(frames)) return
        clearTimeout(timer)
        lookers.delete(look)
        resolve(frames)
      }
      lookers.add(look)
      look()
    })
  onTestFinished(() => socket.terminate())
  return {
    socket,
    frames,
    say: frame => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame)),
    until,
    async next(type) {
      const had = frames.length
      const all = await until(now => now.slice(had).some(frame => frame.type === type))
      return all.slice(had).find(frame => frame.type === type) as Heard
    },
    closed,
    seqs: session =>
      frames
        .filter(frame => frame.type === 'entries' && frame['session'] === session)
        .flatMap(frame => (frame['entries'] as readonly Entry[]).map(({ seq }) => seq)),
  }
}
