import { describe, expect, it, onTestFinished } from 'vitest'
import { eventually, openServed } from '../../server/streams/served.fixture.ts'
import { createClient } from '../create-client.ts'
import { createReplay } from './create-replay.ts'
import { playOn } from './playback.ts'
import type { Entry } from '../../protocol/entry.ts'

/** A session with tools, a plan, a question and a subagent, and its replay. */
async function open(prompt = 'tools, todos and a subagent') {
  const served = await openServed()
  const client = createClient({ url: served.url, token: served.dragoman.token, timing: { lingerMs: 0 } })
  onTestFinished(() => client.close())
  const session = await served.session('s')
  await served.run(session, prompt)
  const replay = createReplay(client, session)
  onTestFinished(replay.state.subscribe(() => {}))
  await eventually(() => replay.state.get().marks.length).toBeGreaterThan(0)
  return { served, session, replay }
}

describe('createReplay', () => {
  it('[W6] goes to any entry and back, and knows where prompts are', async () => {
    const { served, session, replay } = await open()
    const { head, marks } = replay.state.get()
    const { json } = await served.call('listEntries', { params: { session }, query: { limit: '1000' } })
    expect(head).toBe(json.head)
    expect(marks.map(({ kind }) => kind)).toContain('prompt')
    replay.seek(head)
    await eventually(() => replay.view.get().seq).toBe(head)
    const { messages } = (await served.call('listMessages', { params: { session } })).json
    const shown = replay.view
      .get()
      .messages.get(null)
      ?.map(({ message }) => message)
    expect(JSON.parse(JSON.stringify(shown))).toEqual(messages)
    expect(replay.view.get().todos.get(null)).toHaveLength(3)
    const prompt = marks.find(({ kind }) => kind === 'prompt')?.seq ?? 0
    replay.seek(prompt)
    await eventually(() => replay.view.get().seq).toBe(prompt)
    expect(replay.view.get().messages.get(null)).toHaveLength(1)
    expect(replay.view.get().todos.size).toBe(0)
    replay.step(-prompt)
    await eventually(() => replay.view.get().seq).toBe(0)
    const middle = json.entries[Math.floor(head / 2)]
    await replay.seekTime(middle?.at ?? 0)
    await eventually(() => replay.view.get().at).toBe(middle?.at)
    expect(json.entries[replay.view.get().seq]?.at ?? Number.MAX_VALUE).toBeGreaterThan(middle?.at ?? 0)
  })

  it('[W6] plays to the end, and continues when the session does', async () => {
    const { served, session, replay } = await open('hello')
    const { head } = replay.state.get()
    replay.setPace({ speed: 16 })
    replay.play()
    expect(replay.state.get().playing).toBe(true)
    await eventually(() => replay.view.get().seq).toBe(head)
    await eventually(() => replay.state.get().playing).toBe(false)
    await served.run(session, 'hello again')
    await eventually(() => replay.state.get().head).toBeGreaterThan(head)
    replay.play()
    await eventually(() => replay.view.get().messages.get(null)?.length).toBe(4)
  })
})

const entries = [0, 1000, 1500, 61_500].map((at, index) => ({ seq: index + 1, at }) as Entry)
const entryAt = async (seq: number) => entries[seq - 1]
const pace = { speed: 1, skipsPauses: false }

describe('playOn', () => {
  it('[W6] plays at the speed of the session, faster or slower', async () => {
    expect(await playOn({ seq: 1, at: 0 }, 999, pace, entryAt)).toEqual({ seq: 1, at: 999 })
    expect(await playOn({ seq: 1, at: 0 }, 1000, pace, entryAt)).toEqual({ seq: 2, at: 1000 })
    expect(await playOn({ seq: 1, at: 0 }, 100, { ...pace, speed: 16 }, entryAt)).toEqual({
      seq: 3,
      at: 1600,
    })
    expect(await playOn({ seq: 1, at: 0 }, 1000, { ...pace, speed: 0.5 }, entryAt)).toEqual({
      seq: 1,
      at: 500,
    })
  })

  it('[W6] waits during pauses or skips them, and ends', async () => {
    expect(await playOn({ seq: 3, at: 1500 }, 40, pace, entryAt)).toEqual({ seq: 3, at: 1540 })
    const skipping = { speed: 2, skipsPauses: true }
    expect(await playOn({ seq: 3, at: 1500 }, 40, skipping, entryAt)).toEqual({ seq: 3, at: 60_700 })
    expect(await playOn({ seq: 3, at: 60_700 }, 400, skipping, entryAt)).toEqual({ seq: 4, at: 61_500 })
    expect(await playOn({ seq: 4, at: 61_500 }, 40, pace, entryAt)).toBeNull()
  })
})
