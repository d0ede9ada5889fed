import { join } from 'node:path'
import type { Bench, Measured } from './harness/bench.ts'
import { interleave, ratioOf } from './harness/interleave.ts'
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
  { streams: 50, words: 1000, isApart: true, goal: 4 },
  { streams: 1, words: 20_000, isApart: false, goal: 2 },
  { streams: 50, words: 1000, isApart: false, goal: 4 },
] as const

type Load = (typeof loads)[number]

/** How fast words come through the whole server, saved, beside a pipe that saves nothing. */
export const pipe: Bench = {
  name: 'pipe',
  what: 'streams over HTTP, saved first',
  beside: 'the AI SDK’s createUIMessageStream and pipe, which saves nothing',
  how: 'The same native lines through the same translator, as fast as they are taken: each word in a turn of the event loop of its own, as models speak, or all that are taken at once (by the peer 256); servers and reader are processes of their own. The reader gets every word, in fewer pieces where it is behind.',
  seconds: 0,
  async run() {
    using folder = createScratchFolder()
    await using ours = await startPart<ServerAsked, Served>('our-server')
    await using theirs = await startPart<ServerAsked, Served>('sdk-server')
    await using reader = await startPart<ReadAsked, ReadTold>('chat-reader')
    const our = await ours.ask({ folder: join(folder.path, 'data') })
    const their = await theirs.ask({ folder: '' })
    const measured: Measured[] = []
    for (const load of loads) {
      const { streams, words, isApart, goal } = load
      const [own = [], others = []] = await interleave(rounds, [
        () => rate(reader, words, ourStreams(our, load)),
        () => rate(reader, words, theirStreams(their, load)),
      ])
      measured.push({
        part: `${streams === 1 ? '1 stream' : `${streams} streams`}, ${isApart ? 'word by word' : 'in bursts'}`,
        ours: perSecond(median(own)),
        peer: perSecond(median(others)),
        ...ratioOf(own, others),
        goal: { kind: 'at-least', ratio: goal },
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

/** A fresh chat for each stream, as the AI SDK's client asks for it. */
function ourStreams(served: Served, { streams, words, isApart }: Load): ReadAsked {
  const headers = headersFor(served)
  return {
    streams: Array.from({ length: streams }, () => {
      const message = {
        id: crypto.randomUUID(),
        role: 'user',
        parts: [{ type: 'text', text: `${words}@0${isApart ? ' apart' : ''}` }],
      }
      const body = JSON.stringify({ id: crypto.randomUUID(), messages: [message], trigger: 'submit-message' })
      return { url: `${served.url}/api/chat`, headers, body }
    }),
  }
}

function theirStreams(served: Served, { streams, words, isApart }: Load): ReadAsked {
  const url = `${served.url}/?words=${words}${isApart ? '&apart' : ''}`
  return { streams: Array.from({ length: streams }, () => ({ url, headers: {} })) }
}
