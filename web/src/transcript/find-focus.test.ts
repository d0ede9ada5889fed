import { describe, expect, it } from 'vitest'
import type { InteractionBook } from './interaction-facts.ts'
import { findWay, type Focus, type Places } from './find-focus.ts'
import type { Row } from './row.ts'

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
