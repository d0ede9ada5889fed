import type { FanoutAsked, FanoutTold, Keeps } from './fanout-asked.ts'
import type { MemoryHeld } from './memory-held.ts'
import { startPart } from './part.ts'

/** A server with many sessions. */
export interface Fanout extends AsyncDisposable {
  readonly url: string
  readonly sessions: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  /** The address of each session's event stream, from now on. */
  liveUrls(): Promise<readonly string[]>
  /** Lets every session write this many lines a second for a while. */
  speak(
    pace: number,
    milliseconds: number,
    bytes?: number,
  ): Promise<{ readonly events: number; readonly cpuMicroseconds: number }>
  /** Lets the first session write this many lines, each when the one before is saved. */
  say(count: number): Promise<void>
  /** The memory of the server, when it has been tidied. */
  memory(): Promise<MemoryHeld>
}

/** Starts one. */
export async function openFanout(
  folder: string,
  keeps: Keeps,
  sessions: number,
  flags?: readonly string[],
): Promise<Fanout> {
  const part = await startPart<FanoutAsked, FanoutTold>('fanout-server', flags)
  const ask = async <Type extends FanoutTold['type']>(type: Type, asked: FanoutAsked) => {
    const told = await part.ask(asked)
    if (told.type !== type) throw new Error(`Asked for ${type}, the server told ${told.type}.`)
    return told as Extract<FanoutTold, { readonly type: Type }>
  }
  const { url, token, sessions: names } = await ask('opened', { type: 'open', folder, keeps, sessions })
  const headers = { authorization: `Bearer ${token}` }
  const heads = new Map(names.map(name => [name, 1]))
  return {
    url,
    sessions: names,
    headers,
    async liveUrls() {
      for (const name of names) heads.set(name, await headOf(url, headers, name))
      return names.map(name => `${url}/api/sessions/${name}/entries?after=${heads.get(name)}`)
    },
    speak: (pace, milliseconds, bytes) =>
      ask('spoke', { type: 'speak', pace, milliseconds, ...(bytes !== undefined && { bytes }) }),
    say: async count => void (await ask('said', { type: 'say', count })),
    memory: async () => (await ask('memory', { type: 'memory' })).memory,
    [Symbol.asyncDispose]: () => part[Symbol.asyncDispose](),
  }
}

async function headOf(url: string, headers: Readonly<Record<string, string>>, name: string): Promise<number> {
  const response = await fetch(`${url}/api/sessions/${name}/entries?after=999999999&limit=1`, { headers })
  if (!response.ok) throw new Error(`${name} gave ${response.status}: ${await response.text()}`)
  return ((await response.json()) as { readonly head: number }).head
}
