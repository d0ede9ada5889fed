import { join } from 'node:path'
import type { Bench, Measured } from './harness/bench.ts'
import { interleave, ratioOf, serverWarmUps } from './harness/interleave.ts'
import { perSecond } from './harness/numbers.ts'
import { createScratchFolder } from './harness/scratch-folder.ts'
import { median } from './harness/statistics.ts'
import { startPart, type Part } from './wire/part.ts'
import type { ReadAsked, ReadTold } from './wire/read-asked.ts'
import type { Served, ServerAsked } from './wire/server-asked.ts'
import { headersFor, refuseIncomplete } from './wire/words.ts'

const rounds = 7
const loads = [
  { streams: 1, words: 20_000, isApart: true, goal: 2 },
  { streams: 50, words: 1000, isApart: true, goal: 1.8 },
  { streams: 1, words: 20_000, isApart: false, goal: 1.2 },
  { streams: 50, words: 1000, isApart: false, goal: 1.2 },
] as const

type Load = (typeof loads)[number]

/** How fast chunks come through the whole server, saved, compared with a pipe that saves nothing. */
export const pipe: Bench = {
  name: 'pipe',
  what: 'streams over HTTP, saved first',
  beside: 'the AI SDK’s createUIMessageStream and pipe, which saves nothing',
  how: `Both sides translate the same native lines with the same translator, as fast as the lines are accepted: each word in a separate turn of the event loop, as models write, or in bursts (of 256 for the peer). Servers and reader are separate processes, and the first ${serverWarmUps} rounds are not counted. Our chats already exist and are continued. The reader gets every word, in fewer pieces if it is behind. The notes have the rate of a server that only translates and saves nothing.`,
  seconds: 0,
  async run() {
    using folder = createScratchFolder()
    await using ours = await startPart<ServerAsked, Served>('our-server')
    await using theirs = await startPart<ServerAsked, Served>('sdk-server')
    await using least = await startPart<ServerAsked, Served>('bare-server')
    await using reader = await startPart<ReadAsked, ReadTold>('chat-reader')
    const our = await ours.ask({ folder: join(folder.path, 'data') })
    const their = await theirs.ask({ folder: '' })
    const bare = await least.ask({ folder: '' })
    const measured: Measured[] = []
    for (const load of loads) {
      const { streams, words, isApart, goal } = load
      const chats = Array.from({ length: streams }, () => crypto.randomUUID())
      const [own = [], others = [], bound = []] = await interleave(
        rounds,
        [
          () => rate(reader, words, ourStreams(our, load, chats)),
          () => rate(reader, words, theirStreams(their, load)),
          () => rate(reader, words, theirStreams(bare, load)),
        ],
        serverWarmUps,
      )
      measured.push({
        part: `${streams === 1 ? '1 stream' : `${streams} streams`}, ${isApart ? 'word by word' : 'in bursts'}`,
        ours: perSecond(median(own)),
        peer: perSecond(median(others)),
        ...ratioOf(own, others),
        goal: { kind: 'at-least', ratio: goal },
        note: `a server that saves nothing reaches ${perSecond(median(bound))}, which is ${ratioOf(bound, others).ratio.toFixed(2)} times the peer`,
      })
    }
    return measured
  },
}

/** Words a second, when all of them came. */
async function rate(reader: Part<ReadAsked, ReadTold>, words: number, asked: ReadAsked): Promise<number> {
  const told = await reader.ask(asked)
  refuseIncomplete(told, asked.streams.length, words)
  return ((words * asked.streams.length) / told.milliseconds) * 1000
}

/** The next message of each chat, as the AI SDK's client sends it. */
function ourStreams(served: Served, { words, isApart }: Load, chats: readonly string[]): ReadAsked {
  const headers = headersFor(served)
  return {
    streams: chats.map(id => {
      const message = {
        id: crypto.randomUUID(),
        role: 'user',
        parts: [{ type: 'text', text: `${words}@0${isApart ? ' apart' : ''}` }],
      }
      const body = JSON.stringify({ id, messages: [message], trigger: 'submit-message' })
      return { url: `${served.url}/api/chat`, headers, body }
    }),
  }
}

function theirStreams(served: Served, { streams, words, isApart }: Load): ReadAsked {
  const url = `${served.url}/?words=${words}${isApart ? '&apart' : ''}`
  return { streams: Array.from({ length: streams }, () => ({ url, headers: {} })) }
}
