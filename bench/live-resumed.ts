import { join } from 'node:path'
import type { Bench, Measured } from './harness/bench.ts'
import { interleave, ratioOf, serverWarmUps } from './harness/interleave.ts'
import { perSecond } from './harness/numbers.ts'
import { createScratchFolder } from './harness/scratch-folder.ts'
import { median } from './harness/statistics.ts'
import { startRedis } from './stores/redis-server.ts'
import { startPart, type Part } from './wire/part.ts'
import type { ReadAsked, ReadTold } from './wire/read-asked.ts'
import type { Served, ServerAsked } from './wire/server-asked.ts'
import { headersFor, refuseIncomplete, startTalking } from './wire/words.ts'

const rounds = 5
const headStart = 400
const widths = [
  { streams: 1, words: 10_000, goal: 25 },
  { streams: 50, words: 500, goal: 7 },
] as const

/** How fast chunks reach a client that joined after the prompt. */
export const liveResumed: Bench = {
  name: 'live-resumed',
  what: 'a client that joined late follows live',
  beside: 'resumable-stream + Redis',
  how: `The client joins within the ${headStart} ms before the first word. The result is the words per second from the first to the last word. Servers and reader are separate processes, and the first ${serverWarmUps} rounds are not counted.`,
  seconds: 0,
  async run() {
    using folder = createScratchFolder()
    await using redis = await startRedis(folder.path)
    await using ours = await startPart<ServerAsked, Served>('our-server')
    await using theirs = redis && (await startPart<ServerAsked, Served>('resumable-server'))
    await using reader = await startPart<ReadAsked, ReadTold>('chat-reader')
    const our = await ours.ask({ folder: join(folder.path, 'data') })
    const their = await theirs?.ask({ folder: '', redis: redis?.url ?? '' })
    const measured: Measured[] = []
    for (const width of widths) {
      const [own = [], others] = await interleave(
        rounds,
        [
          () => followOurs(reader, our, width),
          ...(their === undefined ? [] : [() => followTheirs(reader, their, width)]),
        ],
        serverWarmUps,
      )
      measured.push(report(width, own, others))
    }
    return measured
  },
}

type Width = (typeof widths)[number]

function report(
  { streams, goal }: Width,
  own: readonly number[],
  others: readonly number[] | undefined,
): Measured {
  const part = streams === 1 ? '1 stream' : `${streams} streams`
  const ours = perSecond(median(own))
  const reach = { kind: 'at-least', ratio: goal } as const
  if (others === undefined)
    return {
      part,
      ours,
      peer: '–',
      ratio: null,
      goal: reach,
      note: 'redis-server not found: apt-get install redis-server',
    }
  return { part, ours, peer: perSecond(median(others)), ...ratioOf(own, others), goal: reach }
}

async function follow(
  reader: Part<ReadAsked, ReadTold>,
  { streams, words }: Width,
  asked: ReadAsked,
): Promise<number> {
  const told = await reader.ask(asked)
  refuseIncomplete(told, streams, words)
  return ((streams * words) / told.sinceFirst) * 1000
}

async function followOurs(reader: Part<ReadAsked, ReadTold>, our: Served, width: Width): Promise<number> {
  const ids = await Promise.all(
    Array.from({ length: width.streams }, () => startTalking(our, width.words, headStart)),
  )
  const streams = ids.map(id => ({ url: `${our.url}/api/chat/${id}/stream`, headers: headersFor(our) }))
  return follow(reader, width, { streams })
}

async function followTheirs(
  reader: Part<ReadAsked, ReadTold>,
  { url }: Served,
  width: Width,
): Promise<number> {
  const ids = Array.from({ length: width.streams }, () => crypto.randomUUID())
  await Promise.all(ids.map(id => fetch(`${url}/begin?id=${id}&words=${width.words}&after=${headStart}`)))
  return follow(reader, width, { streams: ids.map(id => ({ url: `${url}/resume?id=${id}`, headers: {} })) })
}
