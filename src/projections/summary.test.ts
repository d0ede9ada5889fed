import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Chunk } from '../protocol/chunk.ts'
import type { Event } from '../protocol/event.ts'
import type { PromptId } from '../protocol/ids.ts'
import { foldEntries } from './fold.ts'
import {
  answered,
  ask,
  call,
  created,
  ended,
  finish,
  journal,
  output,
  spoke,
  start,
  started,
} from './journal.fixture.ts'
import { project } from './projection.ts'
import { queue } from './queue.ts'
import { session } from './session.arbitrary.ts'
import { status } from './status.ts'
import { summary } from './summary.ts'
import { createUsage } from './usage.ts'

const summaryOf = (...events: readonly Event[]) => project(summary, journal(...events))
const introduced = (agentSession: string | null, model: string | null): Chunk => ({
  type: 'data-session',
  data: { agent: 'scripted', agentSession, model, cwd: null },
})
const used = (input: number): Chunk => ({
  type: 'data-usage',
  data: { tokens: { input, output: 0, cacheRead: 0, cacheWrite: 0 }, cost: input / 4, model: null },
})
const queued = (text: string): Event => ({
  type: 'prompt-queued',
  prompt: `prompt-${text}` as PromptId,
  parts: [{ type: 'text', text }],
})

describe('summary', () => {
  it('[A15] uses the agent’s title, live or imported, unless a user set one', () => {
    const titled: Chunk = {
      type: 'data-session',
      data: { agent: 'scripted', agentSession: 's', model: null, cwd: null, title: 'By the agent' },
    }
    const asked = [created(), started('i'), spoke('i', null, start('m'), titled, introduced('s', null))]
    expect(summaryOf(...asked)?.title).toBe('By the agent')
    const renamed: Event = { type: 'session-renamed', title: 'By a person' }
    expect(summaryOf(...asked, renamed, spoke('i', null, titled))?.title).toBe('By a person')
    expect(summaryOf(created('Given'), started('i'), spoke('i', null, start('m'), titled))?.title).toBe(
      'Given',
    )
  })

  it('[J6] is empty before the session is created, and then has its options', () => {
    expect(summary.initial).toBeNull()
    expect(summaryOf(created('Mine'))).toMatchObject({
      session: 's',
      agent: 'scripted',
      cwd: '/',
      title: 'Mine',
      status: 'idle',
      cost: null,
      interactions: 0,
      seq: 1,
      createdAt: 1000,
    })
  })

  it('[J6] uses the first prompt as title unless a user set one', () => {
    const long = `\n  ${'word '.repeat(40)}\nsecond line`
    expect(summaryOf(created())?.title).toBeNull()
    expect(summaryOf(created(), started('i', 'Hi\nthere'), started('j', 'No'))?.title).toBe('Hi')
    expect(summaryOf(created(), queued('Later'))?.title).toBe('Later')
    expect(summaryOf(created('Mine'), started('i', 'Hi'))?.title).toBe('Mine')
    expect(summaryOf(created(), started('i', 'Hi'), { type: 'session-renamed', title: 'New' })?.title).toBe(
      'New',
    )
    const cut = summaryOf(created(), started('i', long))?.title ?? ''
    expect(cut.length).toBeLessThanOrEqual(80)
    expect(cut).toMatch(/^word .* word…$/)
  })

  it('[P9] knows the newest session of the main agent', () => {
    const told = [
      spoke('i', null, start('m'), introduced('a1', 'big')),
      spoke('i', 'sub', start('s'), introduced('other', 'small')),
      spoke('i', null, introduced('a2', null)),
    ]
    expect(summaryOf(created(), started('i'), ...told)).toMatchObject({ agentSession: 'a2', model: 'big' })
    const both = spoke('i', null, start('m'), introduced('a1', 'big'), introduced('a2', null))
    expect(summaryOf(created(), started('i'), both)).toMatchObject({ agentSession: 'a2', model: 'big' })
    const turned = spoke('i', null, start('m'), introduced('a1', 'big'), introduced(null, 'small'))
    expect(summaryOf(created(), started('i'), turned)).toMatchObject({ agentSession: 'a1', model: 'small' })
    const moved: Event = { ...started('j'), agent: 'codex' }
    expect(summaryOf(created(), started('i'), ...told, moved)).toMatchObject({
      agent: 'codex',
      agentSession: null,
      model: null,
    })
  })

  it('[W1] knows whether it is pinned, and the newest git branch, however long that is', () => {
    const on = (branch: string): Chunk => ({
      type: 'data-session',
      data: { agent: 'scripted', agentSession: 'a', model: null, cwd: null, branch },
    })
    const asked = [created(), started('i'), spoke('i', null, start('m'), on('main'), on('fix/it'))]
    expect(summaryOf(...asked)).toMatchObject({ gitBranch: 'fix/it', pinned: false })
    expect(summaryOf(...asked, spoke('i', null, introduced('b', null)))?.gitBranch).toBe('fix/it')
    expect(summaryOf(...asked, spoke('i', null, on('x'.repeat(1e6))))?.gitBranch).toHaveLength(255)
    const pinned = [...asked, { type: 'session-pinned' } as const]
    expect(summaryOf(...pinned)?.pinned).toBe(true)
    expect(summaryOf(...pinned, { type: 'session-unpinned' })?.pinned).toBe(false)
  })

  it('[J6] uses the first prompt that says more than a command, and never replaces a title of a person', () => {
    const asked = [started('i', '/review'), started('j', 'The warnings are missing')]
    expect(summaryOf(created(), ...asked)?.title).toBe('The warnings are missing')
    expect(summaryOf(created('/mine'), ...asked)?.title).toBe('/mine')
  })

  it('[J6] counts usage over interactions, even when it is reported late', () => {
    const events = [
      created(),
      started('i'),
      spoke('i', null, start('m'), used(4), used(8), finish),
      ended('i', 'failed'),
      started('j'),
      spoke('j', null, start('n'), used(16), finish),
      spoke('j', null, start('m'), used(12), finish),
    ]
    expect(summaryOf(...events)).toMatchObject({ cost: 7, tokens: { input: 28 }, interactions: 2 })
    expect(summaryOf(...events.slice(0, 4))).toMatchObject({ cost: 2, status: 'failed', running: null })
  })

  it('[J6] waits, runs and rests', () => {
    const events = [
      created(),
      started('i'),
      spoke('i', null, start('m'), call('c'), ask('c')),
      answered('ask-c'),
      ended('i'),
    ]
    const states = events.map((_, index) => summaryOf(...events.slice(0, index + 1))?.status)
    expect(states).toEqual(['idle', 'running', 'waiting', 'running', 'idle'])
    expect(summaryOf(...events.slice(0, 2))?.running).toEqual({ interaction: 'i', trigger: 'user', seq: 2 })
  })

  it('[T6] lists approvals of background work while nothing runs', () => {
    const events = [
      created(),
      started('i'),
      spoke('i', null, start('m'), call('c'), finish),
      ended('i'),
      spoke('i', null, start('m'), ask('c')),
      started('j'),
      spoke('j', null, output('c'), finish),
    ]
    const told = events.map((_, index) => summaryOf(...events.slice(0, index + 1)))
    expect(told.slice(3).map(each => [each?.status, each?.pending.length])).toEqual([
      ['idle', 0],
      ['idle', 1],
      ['waiting', 1],
      ['running', 0],
    ])
  })

  it('[J6] continues from a stored summary, and agrees with the other views', () => {
    fc.assert(
      fc.property(session({ answers: true }), fc.nat(), (entries, at) => {
        const whole = project(summary, entries)
        const cut = at % entries.length
        const stored = JSON.parse(JSON.stringify(project(summary, entries.slice(0, cut)))) as typeof whole
        expect(project(summary, entries.slice(cut), stored)).toEqual(whole)
        expect(whole).toMatchObject(project(status, entries))
        const { tokens, cost } = foldEntries(createUsage(), entries).total
        expect(whole?.tokens).toEqual(tokens)
        expect(whole?.cost ?? 0).toBeCloseTo(cost ?? 0)
        expect(whole?.seq).toBe(entries.length)
      }),
      { numRuns: 50 },
    )
  })

  it('[X10] stays small, however many messages there are', () => {
    const messages = Array.from({ length: 500 }, (_, index) =>
      spoke('i', `thread ${index}`, start(`m${index}`), used(1), finish),
    )
    const after = summaryOf(created(), started('i'), ...messages)
    expect(after?.tokens.input).toBe(500)
    expect(after?.spending.recent.length).toBeLessThanOrEqual(16)
    expect(JSON.stringify(after).length).toBeLessThan(5000)
  })
})

describe('queue', () => {
  it('[W3] lists the prompts that neither started nor were withdrawn', () => {
    const withdrawn: Event = { type: 'prompt-withdrawn', prompt: 'prompt-b' as PromptId }
    const waiting = project(
      queue,
      journal(created(), queued('a'), queued('b'), queued('c'), withdrawn, started('a')),
    )
    expect(waiting.map(({ prompt }) => prompt)).toEqual(['prompt-c'])
    expect(project(queue, journal(created(), started('z')), waiting)).toBe(waiting)
  })
})
