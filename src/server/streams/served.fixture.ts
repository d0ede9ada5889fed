import { get, type IncomingMessage } from 'node:http'
import { expect, onTestFinished } from 'vitest'
import type { Entry } from '../../protocol/entry.ts'
import type { Event } from '../../protocol/event.ts'
import type { ConnectionId, SessionId } from '../../protocol/ids.ts'
import type { DragomanOptions } from '../create-dragoman.ts'
import { openDragoman, type Opened } from '../dragoman.fixture.ts'
import { serve } from '../node/serve.ts'

/** A server on a port, with what is needed to look at it from outside. */
export interface Served extends Opened {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** A session with the given number of entries beside the first one. */
  filled(id: string, entries: number): Promise<SessionId>
  append(session: SessionId, ...events: readonly Event[]): Promise<readonly Entry[]>
  /** Begins to read a stream of events. */
  listen(path: string, headers?: Readonly<Record<string, string>>): Promise<Listening>
  stop(): Promise<void>
}

/** Retries an expectation until it is met; a busy machine may take a while. */
export const eventually = <Value>(read: () => Value) => expect.poll(read)

/** Something that an agent said outside of every interaction, of some length. */
export const word = (text: string): Event => ({
  type: 'agent-spoke',
  interaction: null,
  connection: 'c' as ConnectionId,
  raw: `raw ${text}`,
  chunks: [{ thread: null, chunk: { type: 'text-delta', id: 't', delta: text } }],
})

/** Opens one for the time of a test. */
export async function openServed(more: Partial<DragomanOptions> = {}): Promise<Served> {
  const opened = await openDragoman(more)
  const serving = await serve({ dragoman: opened.dragoman, port: 0 })
  let stopped: Promise<void> | null = null
  const stop = () => (stopped ??= Promise.resolve(serving[Symbol.asyncDispose]()))
  onTestFinished(async () => {
    await stop()
    await opened[Symbol.asyncDispose]()
  })
  const headers = { authorization: `Bearer ${opened.dragoman.token}` }
  const append = (session: SessionId, ...events: readonly Event[]) =>
    opened.store.journal.append(session, events)
  return {
    ...opened,
    url: serving.url,
    headers,
    append,
    async filled(id, entries) {
      const session = (await opened.session(id)) as SessionId
      const words = Array.from({ length: entries }, (_, index) => word(`${index}`))
      for (let at = 0; at < words.length; at += 500) await append(session, ...words.slice(at, at + 500))
      return session
    },
    listen: (path, own = {}) => listen(`${serving.url}${path}`, { ...headers, ...own }),
    stop,
  }
}

/** One server-sent event; `text` is a comment. */
export interface ServerEvent {
  readonly id: number | null
  readonly event: string | null
  readonly data: string
}

/** A stream of events that is being read. */
export interface Listening {
  readonly response: IncomingMessage
  readonly events: readonly ServerEvent[]
  /** Comments, which show that the server is there. */
  readonly beats: () => number
  /** Resolves when the events are as one wants them. */
  until(isSo: (events: readonly ServerEvent[]) => boolean): Promise<readonly ServerEvent[]>
  /** Resolves when the server has ended it, with whether that was in good order. */
  readonly ended: Promise<boolean>
  seqs(): readonly number[]
  close(): void
}

async function listen(url: string, headers: Readonly<Record<string, string>>): Promise<Listening> {
  const request = get(url, { headers: { accept: 'text/event-stream', ...headers }, agent: false })
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve)
    request.once('error', reject)
  })
  const events: ServerEvent[] = []
  const lookers = new Set<() => void>()
  let rest = ''
  let beats = 0
  response.setEncoding('utf8')
  response.on('data', (text: string) => {
    const frames = (rest + text).split('\n\n')
    rest = frames.pop() ?? ''
    for (const frame of frames) {
      if (frame.startsWith(':')) beats += 1
      else events.push(readEvent(frame))
    }
    for (const look of lookers) look()
  })
  const ended = new Promise<boolean>(resolve => {
    response.once('end', () => resolve(true))
    response.once('error', () => resolve(false))
  })
  const until: Listening['until'] = isSo =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`Waited in vain; last: ${JSON.stringify(events.at(-1)).slice(0, 500)}`)),
        60_000,
      )
      const look = () => {
        if (!isSo(events)) return
        clearTimeout(timer)
        lookers.delete(look)
        resolve(events)
      }
      lookers.add(look)
      look()
    })
  const close = () => void request.destroy()
  onTestFinished(close)
  return {
    response,
    events,
    beats: () => beats,
    until,
    ended,
    seqs: () => events.flatMap(({ id }) => (id === null ? [] : [id])),
    close,
  }
}

function readEvent(frame: string): ServerEvent {
  const field = (name: string) =>
    frame
      .split('\n')
      .filter(line => line.startsWith(`${name}: `))
      .map(line => line.slice(name.length + 2))
      .join('\n')
  const id = field('id')
  return { id: id === '' ? null : Number(id), event: field('event') || null, data: field('data') }
}
