import { expect, it, onTestFinished, vi } from 'vitest'
import type { Agent } from '../../agents/agent.ts'
import { chunksOf } from '../../protocol/event.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { collect, openHouse, type House } from '../house.fixture.ts'
import { createPuppet, type Puppet } from '../puppet.fixture.ts'
import { compareTranslations } from './compare-translations.ts'
import { replay, type ReplayOptions } from './replay.ts'

const { signal } = new AbortController()

const parts = (house: House, agent: Agent) => ({
  journal: house.journal,
  agents: new Map([[agent.name, agent]]),
})

/** A session with two connections, a line that was not translated and one that was cut off. */
async function record(): Promise<{ house: House; session: SessionId; puppet: Puppet }> {
  const puppet = createPuppet({
    handshake: ['hello'],
    act: ({ say, text, exit }) => {
      say({ t: 'begin', agentSession: 'theirs' })
      say({ t: 'say', text })
      say({ t: 'boom' })
      if (text === 'two') exit({ code: 1 })
      else say({ t: 'end' })
    },
  })
  const house = await openHouse([puppet])
  const session = await house.create()
  for (const text of ['one', 'two', 'three']) {
    await house.prompt(session, text)
    await house.sessions.whenIdle(session)
  }
  await house.sessions[Symbol.asyncDispose]()
  return { house, session, puppet }
}

async function replayed(
  house: House,
  session: SessionId,
  agent: Agent,
  options: Partial<ReplayOptions> = {},
) {
  return collect(replay(parts(house, agent), session, { speed: Infinity, signal, ...options }))
}

it('[J7] a replay gives the same chunks from the native lines', async () => {
  const { house, session, puppet } = await record()
  const shown = await replayed(house, session, puppet)
  const entries = await house.entries(session)
  expect(shown.map(({ entry }) => entry)).toEqual(entries)
  expect(shown.map(({ chunks }) => chunks)).toEqual(entries.map(({ event }) => chunksOf(event)))
})

it('[J7] a replay runs at the original speed, faster, or without waiting, and can be ended', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  onTestFinished(() => void vi.useRealTimers())
  let at = 0
  const puppet = createPuppet()
  const house = await openHouse([puppet])
  await using sessions = house.sessions
  const session = await house.create()
  await house.prompt(session, 'a b c')
  await sessions.whenIdle(session)
  const spread: House['journal'] = {
    ...house.journal,
    read: async (...given) =>
      (await house.journal.read(...given)).map(entry => ({ ...entry, at: (at += 40) })),
  }
  const slow = { ...house, journal: spread }
  const time = async (options: Partial<ReplayOptions>) => {
    at = 0
    const before = Date.now()
    const state = { isOver: false }
    const replaying = replayed(slow, session, puppet, options).finally(() => (state.isOver = true))
    while (!state.isOver) await vi.advanceTimersByTimeAsync(1)
    return { took: Date.now() - before, count: (await replaying).length }
  }
  const all = (await house.entries(session)).length
  const tookAbout = async (options: Partial<ReplayOptions>, milliseconds: number) => {
    const { took } = await time(options)
    expect(Math.abs(took - milliseconds)).toBeLessThan(all + 2)
  }
  await tookAbout({ speed: 4 }, ((all - 1) * 40) / 4)
  await tookAbout({ speed: 4, longestPause: 4 }, all - 1)
  await tookAbout({ speed: Infinity }, 0)
  const leaving = new AbortController()
  setTimeout(() => leaving.abort(), 60)
  expect((await time({ speed: 1, signal: leaving.signal })).count).toBe(2)
})

it('[J7] a rebuild shows no difference with the same translator, and every difference with another', async () => {
  const { house, session, puppet } = await record()
  expect(await collect(compareTranslations(parts(house, puppet), session))).toEqual([])
  const louder: Agent = {
    ...puppet,
    translate(state, raw) {
      const [next, chunks] = puppet.translate(state, raw)
      return [
        next,
        chunks.map(({ thread, chunk }) => ({
          thread,
          chunk: chunk.type === 'text-delta' ? { ...chunk, delta: chunk.delta.toUpperCase() } : chunk,
        })),
      ]
    },
  }
  const differences = await collect(compareTranslations(parts(house, louder), session))
  const deltas = differences.map(({ seq, now }) => [
    seq,
    now.flatMap(({ chunk }) => (chunk.type === 'text-delta' ? [chunk.delta] : [])),
  ])
  const saids = (await house.entries(session)).filter(
    ({ event }) => event.type === 'agent-spoke' && event.raw.includes('"say"'),
  )
  expect(deltas).toEqual(saids.map(({ seq }, index) => [seq, [['ONE', 'TWO', 'THREE'][index]]]))
  const nobody = collect(compareTranslations({ journal: house.journal, agents: new Map() }, session))
  await expect(nobody).rejects.toMatchObject({ code: 'unknown-agent' })
})
