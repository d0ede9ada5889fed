import { describe, expect, it } from 'vitest'
import type { Message, MessagePart } from 'dragoman'
import { findLoaded, rangesIn } from './find-loaded.ts'

const message = (id: string, role: Message['role'], ...parts: readonly MessagePart[]): Message => ({
  id,
  role,
  parts,
})
const talk: readonly Message[] = [
  message('m1', 'user', { type: 'text', text: 'Fix the Parser, please' }),
  message(
    'm2',
    'assistant',
    { type: 'reasoning', id: 'r', text: 'The parser\nmay be slow.' },
    {
      type: 'dynamic-tool',
      toolCallId: 'c1',
      toolName: 'Bash',
      state: 'output-error',
      input: { command: 'npm test parser' },
      errorText: 'parser.ts: exit code 1',
    },
    { type: 'text', text: `${'before '.repeat(60)}the parser works${' after'.repeat(60)}` },
  ),
]
const found = (query: string) => findLoaded(talk, query)?.map(({ kind, part }) => `${kind} ${part}`)

describe('finding in loaded messages', () => {
  it('[J15] finds words in any case, in all kinds of texts, in order', () => {
    expect(found('parser')).toEqual([
      'prompt m1/0',
      'thinking m2/0',
      'tool-input m2/c1',
      'tool-output m2/c1',
      'answer m2/2',
    ])
    expect(found('parser PLEASE')).toEqual(['prompt m1/0'])
    expect(found('"exit code 1"')).toEqual(['tool-output m2/c1'])
    expect(found('nowhere')).toEqual([])
    expect(found('""')).toEqual([])
  })

  it('[J15] gives a piece in one line around what was found', () => {
    const [, thought, , , answer] = findLoaded(talk, 'parser') ?? []
    expect(thought?.snippet).toBe('The parser may be slow.')
    const marked = answer?.ranges.map(([from, to]) => answer.snippet.slice(from, to))
    expect(marked).toEqual(['parser'])
    expect(answer?.snippet.length).toBe(240)
  })

  it('[S28] leaves patterns and filters to the server', () => {
    for (const query of ['/(a+)+$/', 'parser tool:Bash', 'cost>1', '/x'])
      expect(findLoaded(talk, query)).toBeNull()
  })

  it('[J15] ranges do not overlap, and are left out where lower case is longer', () => {
    expect(rangesIn('aXaXa', ['axa', 'x'])).toEqual([
      [0, 3],
      [3, 4],
    ])
    expect(rangesIn('İ x', ['x'])).toEqual([])
  })
})
