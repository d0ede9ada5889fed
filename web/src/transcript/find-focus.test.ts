import { describe, expect, it } from 'vitest'
import type { FoundPlace } from '../search/find-loaded.ts'
import type { InteractionBook } from './interaction-facts.ts'
import { findWay, rowOfPlace, type Focus, type Places } from './find-focus.ts'
import type { Row, StepRow } from './row.ts'
import { nearest } from './use-finding.ts'
import { nextPlace } from './use-landmarks.ts'

const text = (message: string): Row => ({
  key: message,
  depth: 0,
  thread: null,
  message,
  kind: 'text',
  text: '',
  streaming: false,
})
const subagent = (starts: string, message: string, open = false): Row => ({
  key: starts,
  depth: 0,
  thread: null,
  message,
  kind: 'subagent',
  starts,
  report: null,
  part: null,
  open,
  state: 'ready',
})

const book = (homes: Readonly<Record<string, readonly [string, string | null]>>): InteractionBook => ({
  facts: new Map(),
  homes: new Map(
    Object.entries(homes).map(([message, [interaction, thread]]) => [message, { interaction, thread }]),
  ),
  from: null,
})

const way = (
  focus: Focus,
  rows: readonly Row[],
  { homes = {}, next = null }: { homes?: Parameters<typeof book>[0]; next?: number | null } = {},
) =>
  findWay(focus, {
    rows,
    book: book(homes),
    state: { next, view: { messages: new Map() } } as unknown as Places['state'],
  })

describe('the way to a linked message', () => {
  it('[W1] is the row of the message, or the first row of the interaction', () => {
    expect(way({ message: 'b' }, [text('a'), text('b')])).toMatchObject({ to: 'row', row: { key: 'b' } })
    const homes = { b: ['i', null] } as const
    expect(way({ interaction: 'i' }, [text('a'), text('b')], { homes })).toMatchObject({ row: { key: 'b' } })
  })

  it('[W1] goes back page by page, and ends where there is no page', () => {
    expect(way({ message: 'x' }, [text('a')], { next: 5 })).toEqual({ to: 'older' })
    expect(way({ message: 'x' }, [text('a')])).toEqual({ to: 'nowhere' })
  })

  it('[W1] opens the subagent that wrote it, or those that may have started that one', () => {
    const homes = { m: ['i', null], x: ['i', 'inner'] } as const
    const rows = [subagent('outer', 'm'), text('m')]
    expect(way({ message: 'x' }, rows, { homes })).toEqual({ to: 'threads', threads: ['outer'] })
    const opened = [subagent('outer', 'm', true), subagent('inner', 'o'), subagent('other', 'm')]
    expect(way({ message: 'x' }, opened, { homes })).toEqual({ to: 'threads', threads: ['inner'] })
  })
})

const call = (id: string): StepRow => ({
  key: `call ${id}`,
  depth: 0,
  thread: null,
  message: 'm',
  kind: 'tool',
  part: {
    type: 'dynamic-tool',
    toolCallId: id,
    toolName: 'Read',
    state: 'output-available',
    input: {},
    output: '',
  },
  shortened: null,
})
const place = (part: string, more: Partial<FoundPlace> = {}): FoundPlace => ({
  messageId: 'm',
  part: `m/${part}`,
  kind: 'tool-output',
  snippet: '',
  ranges: [],
  seq: 1,
  ...more,
})

describe('the way to what a search found', () => {
  const run = (open: boolean): Row => {
    const steps = [call('c1'), call('c2')]
    return { key: 'run', depth: 0, thread: null, message: 'm', kind: 'steps', steps, open }
  }

  it('[J15] opens the run of steps in which a call is folded', () => {
    const folded = run(false)
    const focus = { message: 'm', place: place('c2') }
    expect(way(focus, [text('m'), folded])).toEqual({ to: 'steps', run: 'run' })
    const [first, second] = [call('c1'), call('c2')]
    expect(way(focus, [text('m'), run(true), first, second])).toEqual({ to: 'row', row: second })
  })

  it('[J15] opens the subagent that a call started, and then shows the call', () => {
    const focus = { message: 'm', place: place('c1') }
    expect(way(focus, [subagent('c1', 'm')])).toEqual({ to: 'threads', threads: ['c1'] })
    const started = call('c1')
    expect(way(focus, [subagent('c1', 'm', true), started])).toEqual({ to: 'row', row: started })
  })

  it('[J15] tells the texts of a message apart by what they say', () => {
    const [one, two]: Row[] = ['First words', 'Second\nwords'].map((words, at) => ({
      ...text('m'),
      key: `t${at}`,
      kind: 'text',
      text: words,
      streaming: false,
    }))
    const rows = [one, two].filter(row => row !== undefined)
    const found = place('p7', { kind: 'answer', snippet: '…Second words…' })
    expect(rowOfPlace(rows, found)).toBe(two)
    expect(rowOfPlace(rows, { ...found, messageId: 'other' })).toBeNull()
    // An unknown text leads to its message.
    expect(way({ message: 'm', place: { ...found, snippet: 'gone' } }, rows)).toEqual({ to: 'row', row: one })
  })

  it('[J15] begins with the first place at or below the top of the view, or else with the last', () => {
    const rows = [text('a'), run(false), text('z')]
    const places = [place('c1'), place('c2'), place('x', { messageId: 'older' })]
    expect(nearest(rows, 'call c2', places)).toBe(1)
    expect(nearest(rows, 'a', places)).toBe(0)
    expect(nearest(rows, 'z', places)).toBe(2)
  })

  it('[W7] goes from landmark to landmark: from the last one while it is in view, or else from the view', () => {
    const rows = [text('a'), run(false), text('z')]
    const [c1, c2] = [place('c1'), place('c2')]
    const places = [place('x', { messageId: 'older' }), c1, c2]
    const next = (inView: readonly string[], by: 1 | -1, last: FoundPlace | null = null) =>
      nextPlace(rows, inView, places, { last, by })
    expect(next(['a', 'run'], 1)).toBe(c1)
    expect(next(['a', 'call c1', 'call c2', 'z'], 1, c1)).toBe(c2)
    expect(next(['a', 'call c1', 'call c2', 'z'], 1, c2)).toBe(places[0])
    expect(next(['a', 'call c1'], -1, c1)).toBe(places[0])
    expect(next(['z'], -1, c1)).toBe(c1)
    expect(nextPlace(rows, ['a'], [], { last: null, by: 1 })).toBeNull()
  })
})
