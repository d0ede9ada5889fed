import { describe, expect, it, vi } from 'vitest'
import type { Json, Message, ToolPart } from 'dragoman'
import type { Client, Session, SessionState, StreamingBlock } from 'dragoman/client'
import { announcementOf } from './announcement.ts'
import { isOwnImage, nameOf } from './attached.ts'
import { dayName, dayOf } from './days.ts'
import { messageBefore, withWords } from './edit-prompt.ts'
import { countAfter, lastThing } from './new-rows.ts'
import { planLine } from './plan-words.ts'
import type { Row } from './row.ts'
import { stageOf } from './use-stage.ts'
import { createWritable } from 'dragoman/client/readable'
import { derive } from 'dragoman/client/readable'
import { subagentName } from './subagent-name.ts'
import { cardOf } from '../tools/card.ts'
import { taskName } from './task-names.ts'
import { createThinkingTimes, thoughtKey } from './thinking-times.ts'
import { cutOf, usageOf, wordsOf } from './usage-of.ts'
import { rowsAround } from './use-kept-row.ts'

type Before = Parameters<typeof announcementOf>[0]
type Now = Parameters<typeof announcementOf>[1]

const row = (key: string, kind: 'text' | 'footer' | 'working' = 'text'): Row =>
  ({ key, kind, depth: 0, thread: null, message: null }) as unknown as Row
const rows = (...keys: readonly string[]) => keys.map(key => row(key))
const keys = (all: readonly Row[]) => all.map(({ key }) => key)

describe('the name of a task', () => {
  const call = (toolName: string, input: Json, output: Json = 'ok') =>
    ({
      type: 'dynamic-tool',
      toolCallId: 'c',
      toolName,
      input,
      output,
      state: 'output-available',
    }) as ToolPart
  const rowOf = (part: ToolPart, thread: string | null = null) =>
    ({ key: 'k', kind: 'tool', depth: 0, thread, message: null, part }) as unknown as Row

  it('[W3] comes from the call that created it, in the same thread', () => {
    const made = rowOf(
      call('TaskCreate', { subject: 'Write tests' }, 'Task #3 created successfully: Write tests'),
    )
    const change = call('TaskUpdate', { taskId: '3', status: 'completed' })
    expect(taskName([made], change, null)).toBe('Write tests')
    expect(taskName([made], change, 'other')).toBeNull()
    expect(taskName([made], call('TaskUpdate', { taskId: '4' }), null)).toBeNull()
    const renamed = rowOf(call('TaskUpdate', { taskId: '3', subject: 'Write all tests' }))
    expect(taskName([made, renamed], change, null)).toBe('Write all tests')
    expect(cardOf(change, { agent: 'claude-code', cwd: null }, false, 'Write tests').sentence).toBe(
      "Plan: 'Write tests' is completed",
    )
  })
})

describe('the stages of a list', () => {
  it('[W2] keep the position when rows are added before', () => {
    const after = rows('a', 'b', 'c')
    expect(stageOf(rows('c'), after)).toEqual({ rows: after, isShift: true })
    expect(stageOf(rows('a', 'b'), after)).toEqual({ rows: after, isShift: false })
    expect(stageOf([], after)).toEqual({ rows: after, isShift: false })
    expect(stageOf(rows('x'), after)).toEqual({ rows: after, isShift: false })
  })

  it('[W2] draw the start first when the end changes too', () => {
    const first = stageOf(rows('c', 'd'), rows('a', 'b', 'c', 'd', 'e'))
    expect([keys(first.rows), first.isShift]).toEqual([['a', 'b', 'c', 'd'], true])
    const gone = stageOf(rows('c', 'd'), rows('a', 'b', 'c'))
    expect([keys(gone.rows), gone.isShift]).toEqual([['a', 'b', 'c', 'd'], true])
    expect(stageOf(gone.rows, rows('a', 'b', 'c')).isShift).toBe(false)
  })

  it('[W2] draw the start first when rows are added or removed in between too', () => {
    const first = stageOf(rows('day', 'c', 'd'), rows('earlier', 'b', 'c', 'new', 'd'))
    expect([keys(first.rows), first.isShift]).toEqual([['earlier', 'b', 'c', 'd'], true])
    expect(stageOf(first.rows, rows('earlier', 'b', 'c', 'new', 'd')).isShift).toBe(false)
  })
})

describe('the count of new rows', () => {
  it('[W2] includes messages and actions, and nothing around them', () => {
    const before = [row('a'), row('f', 'footer')]
    const key = lastThing(before)
    expect(key).toBe('a')
    expect(countAfter([...before, row('b'), row('c'), row('w', 'working')], key)).toBe(2)
    expect(countAfter(before, 'gone')).toBe(0)
  })
})

describe('the text in a transcript', () => {
  it('[W2] announces only starts and ends', () => {
    const announced = (before: Before, status: Now['status'], ended: Now['ended'] = null) =>
      announcementOf(before, { status, ended })
    expect(announced(null, 'running')).toBeNull()
    expect(announced('idle', 'running')).toBe('The agent is responding')
    expect(announced('running', 'waiting')).toBe('Waiting for approval')
    expect(announced('waiting', 'running')).toBeNull()
    expect(announced('running', 'idle', 'finished')).toBe('Done')
    expect(announced('running', 'idle', 'interrupted')).toBe('Stopped')
    expect(announced('running', 'failed', 'failed')).toBe('The agent failed')
  })

  it('[W2] announces that an agent is queued, and that it responds only when it does', () => {
    const announced = (before: Before, status: Now['status']) =>
      announcementOf(before, { status, ended: null })
    expect(announced('idle', 'begun')).toBeNull()
    expect(announced('begun', 'queued')).toBe('Queued')
    expect(announced('queued', 'begun')).toBeNull()
    expect(announced('begun', 'running')).toBe('The agent is responding')
  })

  it('[W2] summarizes a plan in one line', () => {
    const todo = (text: string, status: 'pending' | 'in-progress' | 'completed' | 'cancelled') => ({
      text,
      status,
    })
    expect(planLine([todo('a', 'completed'), todo('b', 'in-progress'), todo('c', 'cancelled')])).toBe(
      '1 of 2 · b',
    )
    expect(planLine([todo('a', 'completed')])).toBe('1 of 1 · All done')
    expect(planLine([todo('a', 'pending'), todo('b', 'pending')])).toBe('0 of 2 · a')
  })

  it('[W2] names days as people do', () => {
    const now = new Date(2026, 4, 4, 12).getTime()
    expect(dayName(now - 3_600_000, now)).toBe('Today')
    expect(dayName(now - 86_400_000, now)).toBe('Yesterday')
    expect(dayName(new Date(2025, 0, 2).getTime(), now)).toContain('2025')
    expect(dayOf(new Date(2026, 4, 4, 0, 1).getTime())).toBe(dayOf(now))
    expect(dayOf(new Date(2026, 4, 3, 23, 59).getTime())).not.toBe(dayOf(now))
  })

  it('[W2] states what a message used: input and output', () => {
    const tokens = { input: 1, output: 2, cacheRead: 10, cacheWrite: 20 }
    const message: Message = {
      id: 'm',
      role: 'assistant',
      parts: [
        { type: 'text', text: ' One ' },
        { type: 'data-usage', data: { tokens, cost: 0.5, model: 'x' } },
        { type: 'text', text: 'Two' },
      ],
    }
    expect(usageOf(message)).toEqual({
      model: 'x',
      cost: 0.5,
      duration: null,
      tokens: { read: 31, written: 2 },
    })
    expect(usageOf({ ...message, metadata: { model: 'y', cost: 1, duration: 5 } })).toMatchObject({
      model: 'y',
      cost: 1,
    })
    expect(usageOf({ id: 'm', role: 'assistant', parts: [] })).toMatchObject({ tokens: null, cost: null })
    const printed = { level: 'info', code: 'shell-output', message: 'a.ts' } as const
    const aside: Message = { id: 'm', role: 'assistant', parts: [{ type: 'data-notice', data: printed }] }
    expect(usageOf({ ...aside, metadata: { model: 'y' } }).model).toBeNull()
    const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
    expect(usageOf({ ...aside, metadata: { model: 'y', tokens: none, cost: 0, duration: 5 } })).toEqual({
      model: null,
      tokens: null,
      cost: null,
      duration: 5,
    })
    expect(cutOf(message)).toBeNull()
    expect(cutOf({ ...message, metadata: { finishReason: 'length' } })).toContain('Cut off')
    expect(wordsOf(message)).toBe('One\n\nTwo')
  })

  it('[W2] names a subagent by its report or by its call', () => {
    const part = { input: { description: 'Look' }, toolName: 'Task' } as never
    expect(subagentName({ report: null, part, starts: 'c' })).toEqual({ name: 'Task', description: 'Look' })
    expect(subagentName({ report: null, part: null, starts: 'c' })).toEqual({ name: 'c', description: '' })
  })
})

describe('files in a message', () => {
  it('[W7] are shown as images only when they are inline bitmaps', () => {
    const png = 'data:image/png;base64,AAAA'
    expect(isOwnImage({ url: png, mediaType: 'image/png' })).toBe(true)
    expect(isOwnImage({ url: 'blob:x', mediaType: 'image/png' })).toBe(true)
    expect(isOwnImage({ url: 'https://a.example/x.png', mediaType: 'image/png' })).toBe(false)
    expect(isOwnImage({ url: 'data:image/svg+xml,<svg/>', mediaType: 'image/svg+xml' })).toBe(false)
    expect(isOwnImage({ url: 'blob:x', mediaType: 'image/svg+xml' })).toBe(false)
  })

  it('[W2] are named by name, type or host', () => {
    expect(nameOf({ url: 'data:,', mediaType: 'text/plain', filename: 'a.txt' })).toBe('a.txt')
    expect(nameOf({ url: 'data:,', mediaType: 'image/png' })).toBe('Image')
    expect(nameOf({ url: 'https://a.example/b', mediaType: 'text/plain' })).toBe('a.example')
  })
})

describe('an edited prompt', () => {
  const file = { type: 'file', url: 'data:,', mediaType: 'text/plain', filename: 'a' } as const
  const message: Message = { id: 'p2', role: 'user', parts: [{ type: 'text', text: 'Old' }, file] }

  it('[W2] keeps its files', () => {
    expect(withWords(message, 'New')).toEqual([{ type: 'text', text: 'New' }, file])
    expect(withWords(message, ' ')).toEqual([file])
  })

  it('[W2] follows the message before it, which is loaded if necessary', async () => {
    const pages = [[{ ...message, id: 'p1' }], [message]]
    let loaded = 1
    const session = {
      messages: { get: () => pages.slice(-loaded).flat() },
      loadOlder: () => Promise.resolve(loaded < pages.length && (loaded += 1) > 0),
    } as unknown as Session
    expect(await messageBefore(session, 'p2')).toBe('p1')
    expect(await messageBefore(session, 'p1')).toBeNull()
    await expect(messageBefore(session, 'x')).rejects.toThrow('was removed')
  })
})

describe('the row with the focus', () => {
  const kinds = 'day prompt text text tool text text footer'.split(' ')
  const all = kinds.map((kind, at) => ({ key: String(at), kind }) as unknown as Row)

  it('[W7] stays mounted with everything that Tab reaches from it, in both directions', () => {
    expect(rowsAround(all, '4')).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(rowsAround(all, '7')).toEqual([4, 5, 6, 7])
    expect(rowsAround(all, '0')).toEqual([0, 1])
    expect(rowsAround(all, 'gone')).toEqual([])
  })

  it('[W7] does not keep a whole conversation without focusable elements', () => {
    const words = Array.from({ length: 100 }, (_, at) => row(`row ${at}`))
    expect(rowsAround(words, 'row 50')).toHaveLength(21)
  })
})

describe('thinking time', () => {
  const place = { thread: null, message: 'm', thought: 't' }
  const streamed = (text: string | null) =>
    (text === null
      ? []
      : [
          { thread: null, message: 'm', index: 1, part: { type: 'reasoning', id: 't', text } },
        ]) as unknown as readonly StreamingBlock[]
  const watch = (
    first: string | null,
    reply: () => Promise<unknown> = () => Promise.reject(new Error('no')),
  ) => {
    const clock = { now: 1000 }
    const streaming = createWritable(streamed(first))
    const live = { phase: 'live' } as SessionState
    const call = vi.fn(reply)
    const client = { call, surroundings: { now: () => clock.now } } as unknown as Client
    const times = createThinkingTimes(client, { id: 's', streaming })
    const timeOf = () => times.known.get().get(thoughtKey(place)) ?? null
    return { times, streaming, clock, call, timeOf, stop: streaming.subscribe(() => times.look(live)) }
  }
  const saved = (end: number | null) => () =>
    Promise.resolve({
      thoughts: [
        {
          thread: null,
          message: 'm',
          part: 't',
          start: { seq: 1, at: 200 },
          end: end && { seq: 2, at: end },
        },
      ],
    })

  it('[W2] is measured while the page is open', () => {
    const { streaming, clock, timeOf, stop } = watch(null)
    streaming.set(streamed('Hm'))
    clock.now = 3500
    streaming.set(streamed('Hm, well'))
    expect(timeOf()).toEqual({ from: 1000, to: null })
    streaming.set(streamed(null))
    expect(timeOf()).toEqual({ from: 1000, to: 3500 })
    stop()
  })

  it('[W2] is loaded from the server, once, for thoughts from before', async () => {
    const { times, call, timeOf } = watch(null, saved(900))
    times.ask('i')
    times.ask('i')
    await expect.poll(timeOf).toEqual({ from: 200, to: 900 })
    expect(call).toHaveBeenCalledTimes(1)
  })

  it('[W2] is loaded again after a failure', async () => {
    const { times, call, timeOf } = watch(null)
    times.ask('i')
    await new Promise(setImmediate)
    times.ask('i')
    expect(call).toHaveBeenCalledTimes(2)
    expect(timeOf()).toBeNull()
  })

  it('[W2] of a thought from before the page was opened starts at the server’s time and ends at ours', async () => {
    const { times, streaming, timeOf } = watch('Hm', saved(null))
    expect(timeOf()).toBeNull()
    times.ask('i')
    await expect.poll(timeOf).toEqual({ from: 200, to: null })
    streaming.set(streamed(null))
    expect(timeOf()).toEqual({ from: 200, to: 1000 })
  })

  it('[W2] of a thought that ended during the request is complete', async () => {
    const { times, streaming, timeOf } = watch('Hm', saved(null))
    times.ask('i')
    streaming.set(streamed(null))
    await expect.poll(timeOf).toEqual({ from: 200, to: 1000 })
  })
})

describe('derived values', () => {
  it('[W2] are computed and reported only when an input changed', () => {
    const [one, other] = [createWritable(1), createWritable('a')]
    let made = 0
    const both = derive([one, other] as const, (number, word) => {
      made += 1
      return `${number > 0} ${word}`
    })
    const values: string[] = []
    const stop = both.subscribe(value => values.push(value))
    one.set(2)
    other.set('b')
    stop()
    other.set('c')
    expect(values).toEqual(['true a', 'true b'])
    expect(made).toBe(3)
    expect(both.get()).toBe('true c')
  })
})
