import { describe, expect, it } from 'vitest'
import type { Entry } from 'dragoman'
import { createLineReader, type LineSource } from './line-reader.ts'

const entries = Array.from(
  { length: 100 },
  (_, index) => ({ seq: index + 1, at: 0, event: { type: 'session-archived' } }) as unknown as Entry,
)

/** A session of a hundred entries; every tenth belongs to the target. */
function open(change: Partial<LineSource> = {}) {
  const asked: string[] = []
  let last = 0
  const reader = createLineReader({
    find: async () => 31,
    async read(after, limit) {
      asked.push(`${after}+${limit}`)
      return { entries: entries.slice(after, after + limit), head: entries.length }
    },
    belonging: {
      take({ seq }) {
        last = seq
        return seq % 10 === 0
      },
      isOver: () => last >= 60,
    },
    pagesAtOnce: 10,
    page: 10,
    ...change,
  })
  return { reader, asked }
}

const seqs = (reader: ReturnType<typeof open>['reader']) => {
  const { lines } = reader.get()
  return [lines[0]?.seq, lines.at(-1)?.seq]
}

describe('the line reader', () => {
  it('[W4] reads from the start of the target until all of it was read', async () => {
    const { reader, asked } = open()
    await reader.open()
    expect(asked).toEqual(['30+10', '40+10', '50+10'])
    expect(reader.get()).toMatchObject({ phase: 'there', isOver: true, head: 100 })
    expect([...reader.get().mine]).toEqual([40, 50, 60])
  })
  it('[W4] searches a limited number of pages at once, and continues on request', async () => {
    const { reader } = open({ pagesAtOnce: 1 })
    await reader.open()
    expect(reader.get().isOver).toBe(false)
    await reader.later()
    expect([...reader.get().mine]).toEqual([40, 50])
  })
  it('[W4] pages to both ends without gaps, even when a page ends early', async () => {
    const read: LineSource['read'] = async (after, limit) => ({
      entries: entries.slice(after, after + Math.min(limit, 4)),
      head: 100,
    })
    const { reader } = open({ read, pagesAtOnce: 1 })
    await reader.open()
    await reader.earlier()
    const numbers = reader.get().lines.map(({ seq }) => seq)
    expect(numbers).toEqual(Array.from({ length: 14 }, (_, index) => 21 + index))
    expect(reader.get().grew).toBe('start')
  })
  it('[W4] keeps a bounded number of lines', async () => {
    const { reader } = open({ most: 25 })
    await reader.open()
    expect(seqs(reader)).toEqual([36, 60])
    await reader.earlier()
    expect(seqs(reader)).toEqual([26, 50])
  })
  it('[W4] keeps a bounded number of characters, and at least one line', async () => {
    const raw = 'x'.repeat(40 << 20)
    const long = entries.map(each => ({ ...each, event: { type: 'agent-spoke', raw, chunks: [] } }))
    const read = async (after: number) => ({ entries: long.slice(after, after + 1) as never, head: 100 })
    const { reader } = open({ read, pagesAtOnce: 3 })
    await reader.open()
    expect(seqs(reader)).toEqual([33, 33])
  })
  it('[W4] jumps to any entry, and reports one that does not exist', async () => {
    const { reader } = open()
    await reader.open()
    await reader.jump(95)
    expect(seqs(reader)).toEqual([95, 100])
    await reader.jump(101)
    expect(seqs(reader)).toEqual([95, 100])
    expect(reader.get().problem).toBe('Entry 101 doesn’t exist. The last entry is 100.')
  })
  it('[W4] explains why there are no lines', async () => {
    const { reader } = open({ find: async () => null })
    await reader.open()
    expect(reader.get()).toMatchObject({ phase: 'failed', lines: [] })
    const refused = open({ read: () => Promise.reject(new Error('Can’t reach the server.')) }).reader
    await refused.open()
    expect(refused.get()).toMatchObject({ phase: 'failed', problem: 'Can’t reach the server.' })
  })
})
