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
const widths = [
  { streams: 1, words: 20_000, goal: 2 },
  { streams: 50, words: 1000, goal: 4 },
] as const

/** How fast words come through the whole server, saved, beside a pipe that saves nothing. */
export const pipe: Bench = {
  name: 'pipe',
  what: 'streams over HTTP, saved first',
  beside: 'the AI SDK’s createUIMessageStream and pipe, which saves nothing',
  how: 'The same native lines through the same translator, as fast as they are taken; servers and reader are processes of their own. The reader gets every word, in fewer pieces where it is behind.',
  seconds: 0,
  async run() {
    using folder = createScratchFolder()
    await using ours = await startPart<ServerAsked, Served>('our-server')
    await using theirs = await startPart<ServerAsked, Served>('sdk-server')
    await using reader = await startPart<ReadAsked, ReadTold>('chat-reader')
    const our = await ours.ask({ folder: join(folder.path, 'data') })
    const their = await theirs.ask({ folder: '' })
    const measured: Measured[] = []
    for (const { streams, words, goal } of widths) {
      const [own = [], others = []] = await interleave(rounds, [
        () => rate(reader, words, ourStreams(our, streams, words)),
        () => rate(reader, words, theirStreams(their, streams, words)),
      ])
      measured.push({
        part: streams === 1 ? '1 stream' : `${streams} streams`,
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
function ourStreams(served: Served, streams: number, words: number): ReadAsked {
  const headers = headersFor(served)
  return {
    streams: Array.from({ length: streams }, () => {
      const message = {
        id: crypto.randomUUID(),
        role: 'user',
        parts: [{ type: 'text', text: String(words) }],
      }
      const body = JSON.stringify({ id: crypto.randomUUID(), messages: [message], trigger: 'submit-message' })
      return { url: `${served.url}/api/chat`, headers, body }
    }),
  }
}

const theirStreams = ({ url }: Served, streams: number, words: number): ReadAsked => ({
  streams: Array.from({ length: streams }, () => ({ url: `${url}/?words=${words}`, headers: {} })),
})
