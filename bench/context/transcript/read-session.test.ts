import { describe, expect, it } from 'vitest'
import { line, model, person, result, threeRequests } from './transcript.fixture.ts'
import { readSession } from './read-session.ts'

const kindsOf = (lines: readonly string[]) =>
  readSession('s', lines).segments.map(({ blocks }) => blocks.map(({ kind }) => kind))

describe('reading a transcript', () => {
  it('[X3] finds the requests, what each saw and when it was sent', () => {
    const [segment] = readSession('s', threeRequests).segments
    expect(segment?.blocks.map(({ kind }) => kind)).toEqual([
      'user',
      'text',
      'call',
      'result',
      'call',
      'result',
      'user',
      'text',
    ])
    expect(segment?.requests.map(({ upTo }) => upTo)).toEqual([1, 4, 7])
    const begin = Date.UTC(2026, 0, 1)
    expect(segment?.requests.map(({ at }) => (at - begin) / 1000)).toEqual([0, 10, 390])
  })

  it('[X3] leaves out side chains, repeated lines and messages of no model', () => {
    const [first = '', ...rest] = threeRequests
    const noise = [
      line('user', 1, { role: 'user', content: 'aside' }, { isSidechain: true }),
      line('assistant', 1, { id: 'z', model: '<synthetic>', content: [{ type: 'text', text: 'no' }] }),
      line('progress', 1, {}),
      first,
    ]
    expect(kindsOf([first, ...noise, ...rest])).toEqual(kindsOf(threeRequests))
  })

  it('[X3] starts a new segment after a compaction', () => {
    const boundary = JSON.stringify({ type: 'system', subtype: 'compact_boundary' })
    expect(
      kindsOf([
        ...threeRequests,
        boundary,
        person(500, 'summary'),
        model(501, 'n', { type: 'text', text: 'on' }),
      ]),
    ).toEqual([kindsOf(threeRequests)[0], ['user', 'text']])
  })

  it('[X3] puts results that came between two calls of one answer after both', () => {
    const call = (id: string) => ({ type: 'tool_use', id, name: 'Read', input: {} })
    const lines = [
      person(0, 'p'),
      model(1, 'm', call('a')),
      result(2, 'a', 'A'),
      model(3, 'm', call('b')),
      result(4, 'b', 'B'),
    ]
    const [segment] = readSession('s', lines).segments
    expect(segment?.blocks.map(({ content }) => content)).toEqual(['p', '{}', '{}', 'A', 'B'])
    expect(segment?.requests.length).toBe(1)
  })

  it('[X3] reports what it could not use', () => {
    const { troubles } = readSession('s', [...threeRequests, '{"type":"us', result(401, 'nobody', 'lost')])
    expect(troubles).toEqual([
      '1 line is not JSON and left out',
      '1 tool result has no call just before and was left out',
    ])
  })
})
