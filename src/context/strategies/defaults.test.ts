import { describe, expect, it } from 'vitest'
import type { Json } from '../../protocol/json.ts'
import { compile } from '../compile.ts'
import { markOf } from '../ledger.ts'
import { profiles } from '../profiles.ts'
import { strategiesAfter, strategiesAtBoundary } from '../run-strategies.ts'
import { createStrategies, type Strategies } from './registry.ts'
import { createTalk, manyLines, textOf, type Talk } from '../talk.fixture.ts'

/** A call, with the changes of the strategies in the ledger. */
const act = (
  talk: Talk,
  tool: string,
  input: Json,
  result: string,
  more: { error?: boolean; strategies?: Strategies } = {},
) => {
  const call = talk.call(tool, input, result, { error: more.error ?? false })
  const { strategies = createStrategies() } = more
  const events = strategiesAfter(talk.history(), call, talk.options({ strategies }))
  talk.append(...events)
  return { call, events }
}

const markIn = (talk: Talk, part: string) =>
  markOf(talk.history().ledger.standingOf({ id: part, interaction: 'i1' }))
const rest = (talk: Talk, steps = 5) => {
  for (let at = 0; at < steps; at += 1) talk.call('Bash', { command: `sleep ${at}` }, 'ok')
}
const big = manyLines('x', 60)

describe('the default rules, without configuration', () => {
  const begun = () => {
    const talk = createTalk()
    talk.user('go')
    return talk
  }

  it('[X3] a later read that covers an earlier one supersedes it; one that does not, does not', () => {
    const talk = begun()
    const a = act(talk, 'Read', { file_path: '/w/a.ts', offset: 10, limit: 20 }, big).call
    act(talk, 'Read', { file_path: '/w/b.ts' }, big)
    expect(markIn(talk, a)).toBe('active')
    act(talk, 'Read', { file_path: '/w/a.ts', offset: 15, limit: 20 }, big)
    expect(markIn(talk, a)).toBe('active')
    act(talk, 'Read', { file_path: 'a.ts' }, big)
    expect(markIn(talk, a)).toBe('superseded')
    expect(markIn(talk, `${a}.result`)).toBe('superseded')
  })

  it('[X3] the read of a file that was changed later is stale, but stays until the file is read again', () => {
    const talk = begun()
    const read = act(talk, 'Read', { file_path: '/w/a.ts' }, manyLines('a', 60)).call
    act(talk, 'Edit', { file_path: '/w/a.ts', old_string: 'a', new_string: 'b' }, 'done')
    rest(talk)
    expect(markIn(talk, read)).toBe('invalidated')
    const policy = { ...profiles.safe, cold: null }
    const kept = compile(talk.history(), talk.target(), policy, null)
    expect(textOf(kept.conversation.messages, `${read}.result`)).toBe(manyLines('a', 60))
    act(talk, 'Read', { file_path: '/w/a.ts' }, manyLines('c', 60))
    rest(talk)
    expect(markIn(talk, read)).toBe('archived')
    const cleared = compile(talk.history(), talk.target(), policy, null)
    expect(textOf(cleared.conversation.messages, `${read}.result`)).toContain('cleared: read again later')
  })

  it('[X3] a failed edit makes nothing stale', () => {
    const talk = begun()
    const read = act(talk, 'Read', { file_path: '/w/a.ts' }, big).call
    act(talk, 'Edit', { file_path: '/w/a.ts', old_string: 'a', new_string: 'b' }, 'not found', {
      error: true,
    })
    expect(markIn(talk, read)).toBe('active')
  })

  it('[X3] a write that was repeated, or read as a whole, clears its input only', () => {
    const talk = begun()
    const write = act(talk, 'Write', { file_path: '/w/a.ts', content: manyLines('w', 60) }, 'written').call
    act(talk, 'Write', { file_path: '/w/a.ts', content: manyLines('v', 60) }, 'written')
    rest(talk)
    const { conversation } = compile(talk.history(), talk.target(), { ...profiles.safe, cold: null }, null)
    const input = textOf(conversation.messages, write) ?? ''
    expect(input).toContain('cleared: written again later')
    expect(input).toContain('"file_path":"/w/a.ts"')
    expect(textOf(conversation.messages, `${write}.result`)).toBe('written')
  })

  it('[X3] when a command is repeated, the last eight lines of the earlier output stay', () => {
    const talk = begun()
    const first = act(talk, 'Bash', { command: 'npm test' }, manyLines('o', 60)).call
    act(talk, 'Bash', { command: 'npm run other' }, manyLines('p', 60))
    act(talk, 'Bash', { command: 'npm test' }, manyLines('q', 60))
    rest(talk)
    const { conversation } = compile(talk.history(), talk.target(), { ...profiles.safe, cold: null }, null)
    const lines = (textOf(conversation.messages, `${first}.result`) ?? '').split('\n')
    expect(lines).toHaveLength(9)
    expect(lines[0]).toContain('cleared: ran again later')
    expect(lines[8]).toBe(manyLines('o', 1, 60))
  })

  it('[X3] an updated plan and a repeated search are superseded', () => {
    const talk = begun()
    const plan = act(talk, 'TodoWrite', { todos: [{ content: 'a' }] }, 'ok').call
    const search = act(talk, 'Grep', { pattern: 'x', path: '/w' }, big).call
    const other = act(talk, 'Grep', { pattern: 'y', path: '/w' }, big).call
    act(talk, 'TodoWrite', { todos: [{ content: 'b' }] }, 'ok')
    act(talk, 'Grep', { path: '/w', pattern: 'x' }, big)
    expect([plan, search, other].map(id => markIn(talk, id))).toEqual(['superseded', 'superseded', 'active'])
  })

  it('[X3] an edit that failed and then succeeded keeps its error line', () => {
    const talk = begun()
    const edit = { file_path: '/w/a.ts', old_string: 'a', new_string: 'b' }
    const failed = act(talk, 'Edit', edit, `String not found.\n${big}`, { error: true }).call
    act(talk, 'Edit', edit, 'done')
    rest(talk)
    const { conversation } = compile(talk.history(), talk.target(), { ...profiles.safe, cold: null }, null)
    expect(textOf(conversation.messages, `${failed}.result`)).toMatch(
      /^String not found\.\n\[Edit .* cleared/,
    )
  })

  it('[X3] a web page of half an hour ago is outdated, and is cleared only when the window fills', () => {
    const talk = begun()
    const page = talk.call('WebFetch', { url: 'https://a' }, manyLines('page', 300))
    const file = talk.call('Read', { file_path: '/w/a.ts' }, manyLines('file', 300))
    rest(talk)
    talk.wait(31)
    talk.append(...strategiesAtBoundary(talk.history(), talk.target().at, talk.options()))
    expect(markIn(talk, page)).toBe('invalidated')
    expect(markIn(talk, file)).toBe('active')
    const policy = { ...profiles.safe, cold: null }
    expect(compile(talk.history(), talk.target(), policy, null).manifest.decisions.size).toBe(0)
    const full = compile(talk.history(), talk.target({ window: 20_000, fixedTokens: 8000 }), policy, null)
    expect([...full.manifest.decisions.keys()][0]).toBe(`${page}.result`)
  })

  it('[X3] obsolete results are cleared when the cache is cold, not before, and never of the last requests', () => {
    const talk = begun()
    const first = act(talk, 'Grep', { pattern: 'x' }, manyLines('hit', 100)).call
    const policy = { ...profiles.safe, cold: null }
    const before = compile(talk.history(), talk.target(), policy, null).manifest
    act(talk, 'Grep', { pattern: 'x' }, 'none')
    const soon = talk.target({ at: talk.target().at + 400_000 })
    expect(compile(talk.history(), soon, policy, before).manifest.decisions.size).toBe(0)
    rest(talk)
    const warm = compile(talk.history(), talk.target(), policy, { ...before, at: talk.target().at - 1000 })
    expect(warm.manifest.decisions.size).toBe(0)
    const cold = compile(
      talk.history(),
      talk.target({ at: talk.target().at + 400_000 }),
      policy,
      warm.manifest,
    )
    expect(cold.manifest.decisions.get(`${first}.result`)?.rule).toBe('searched-again')
  })

  it('[X3] the profiles off and lossless ignore what the rules found', () => {
    const talk = begun()
    act(talk, 'Grep', { pattern: 'x' }, manyLines('hit', 100))
    act(talk, 'Grep', { pattern: 'x' }, 'none')
    rest(talk)
    for (const policy of [profiles.off, profiles.lossless])
      expect(compile(talk.history(), talk.target(), policy, null).manifest.decisions.size).toBe(0)
  })

  it('[X4] a tool of an MCP server that is called Read is not subject to the rules of Read', () => {
    const talk = begun()
    const read = act(talk, 'Read', { file_path: '/w/a.ts' }, big).call
    const { events } = act(talk, 'mcp__evil__Read', { file_path: '/w/a.ts' }, big)
    expect(events).toEqual([])
    expect(markIn(talk, read)).toBe('active')
  })
})
