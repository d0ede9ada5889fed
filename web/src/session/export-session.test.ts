import type { Client } from 'dragoman/client'
import { describe, expect, it } from 'vitest'
import { exportSession, fileName, markdownOf } from './export-session.ts'

const message = (id: string, role: 'user' | 'assistant', text: string) => ({
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
          ? { messages: [message('3', 'user', 'three')], next: 7, asOf: 9 }
          : {
              messages: [message('1', 'user', 'one'), message('2', 'assistant', 'two')],
              next: null,
              asOf: 9,
            },
      )
    const after = Number(query['after'])
    const entries = [1, 2, 3, 4, 5].filter(seq => seq > after).slice(0, 2)
    return Promise.resolve({ entries: entries.map(seq => ({ seq, raw: '{}' })), head: 5 })
  },
} as unknown as Client

const exported = async (form: Parameters<typeof exportSession>[2]) => {
  const progress: number[] = []
  const file = await exportSession(
    client,
    's',
    form,
    count => progress.push(count),
    new AbortController().signal,
  )
  return { text: await file.text(), progress }
}

describe('export', () => {
  it('[W1] of messages has every page, oldest first', async () => {
    const { text, progress } = await exported('messages')
    expect((JSON.parse(text) as { id: string }[]).map(({ id }) => id)).toEqual(['1', '2', '3'])
    expect(progress).toEqual([1, 3])
  })

  it('[W1] of the journal has one entry per line', async () => {
    const { text } = await exported('journal')
    const seqs = text
      .trimEnd()
      .split('\n')
      .map(line => (JSON.parse(line) as { seq: number }).seq)
    expect(seqs).toEqual([1, 2, 3, 4, 5])
  })

  it('[W1] as text names each author, and leaves out messages without text', () => {
    const call = { role: 'assistant' as const, parts: [{ type: 'dynamic-tool' }] }
    expect(markdownOf([message('1', 'user', 'Hi '), call, message('2', 'assistant', 'Ho')])).toBe(
      '## You\n\nHi\n\n## Agent\n\nHo\n',
    )
  })

  it('[W1] has a file name that every file system accepts', () => {
    expect(fileName('Fix: the/door …', 'text')).toBe('fix-the-door.md')
    expect(fileName('///', 'journal')).toBe('session.journal.jsonl')
  })
})
