import type { Client } from 'dragoman/client'
import { describe, expect, it } from 'vitest'
import { exportSession, fileName, markdownOf } from './export-session.ts'

const said = (id: string, role: 'user' | 'assistant', text: string) => ({
  id,
  role,
  parts: [{ type: 'text', text }],
})

/** A server of two pages of messages and five entries. */
const client = {
  call: (name: string, { query }: { readonly query: Record<string, string> }) => {
    if (name === 'listMessages')
      return Promise.resolve(
        query['before'] === undefined
          ? { messages: [said('3', 'user', 'three')], next: 7, asOf: 9 }
          : { messages: [said('1', 'user', 'one'), said('2', 'assistant', 'two')], next: null, asOf: 9 },
      )
    const after = Number(query['after'])
    const entries = [1, 2, 3, 4, 5].filter(seq => seq > after).slice(0, 2)
    return Promise.resolve({ entries: entries.map(seq => ({ seq, raw: '{}' })), head: 5 })
  },
} as unknown as Client

const exported = async (form: Parameters<typeof exportSession>[2]) => {
  const told: number[] = []
  const file = await exportSession(client, 's', form, count => told.push(count), new AbortController().signal)
  return { text: await file.text(), told }
}

describe('export', () => {
  it('[W1] of messages has every page, the oldest first', async () => {
    const { text, told } = await exported('messages')
    expect((JSON.parse(text) as { id: string }[]).map(({ id }) => id)).toEqual(['1', '2', '3'])
    expect(told).toEqual([1, 3])
  })

  it('[W1] of the journal has every entry on a line of its own', async () => {
    const { text } = await exported('journal')
    const seqs = text
      .trimEnd()
      .split('\n')
      .map(line => (JSON.parse(line) as { seq: number }).seq)
    expect(seqs).toEqual([1, 2, 3, 4, 5])
  })

  it('[W1] as text says who said what, and nothing of what has no words', () => {
    const call = { role: 'assistant' as const, parts: [{ type: 'dynamic-tool' }] }
    expect(markdownOf([said('1', 'user', 'Hi '), call, said('2', 'assistant', 'Ho')])).toBe(
      '## You\n\nHi\n\n## Agent\n\nHo\n',
    )
  })

  it('[W1] has a name that every file system takes', () => {
    expect(fileName('Fix: the/door …', 'text')).toBe('fix-the-door.md')
    expect(fileName('///', 'journal')).toBe('session.journal.jsonl')
  })
})
