import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cpuTime } from '../../projections/cpu-time.fixture.ts'
import type { Thread, ThreadChunk } from '../../protocol/chunk.ts'
import { openParts } from '../../protocol/open-parts.ts'
import { assertWellFormed } from '../../protocol/well-formed.ts'
import { build, initialParts, type Op, type Parts } from './parts.ts'

interface Deed {
  readonly thread?: Thread
  readonly ops: readonly Op[]
}

/** Applies ops one by one, and checks that the closed stream is well formed. */
function play(deeds: readonly Deed[]): void {
  const chunks: ThreadChunk[] = []
  let parts: Parts = initialParts('test', 'c')
  let open = openParts.initial
  for (const { thread, ops } of deeds) {
    const [next, added] = build(parts, ops, thread)
    parts = next
    chunks.push(...added)
    for (const each of added) open = openParts.apply(open, each)
  }
  assertWellFormed([...chunks, ...openParts.closeAll(open, { errorText: 'gone', reason: 'interrupted' })])
}

const key = fc.constantFrom('a', 'b')
const call = fc.constantFrom('c1', 'c2', 'c3')
const text = fc.constantFrom('', 'Hi', 'Hi there', 'Other')
const tool = fc.constantFrom('Read', 'Task')
const op: fc.Arbitrary<Op> = fc.oneof(
  fc.constant<Op>({ type: 'begin' }),
  fc.record({ type: fc.constant('session' as const), data: fc.record({ model: text }) }),
  fc.record({ type: fc.constantFrom('text' as const, 'thinking' as const), key, delta: text }),
  fc.record({ type: fc.constant('end' as const), key }),
  fc.record({
    type: fc.constantFrom('final' as const, 'so-far' as const),
    kind: fc.constantFrom('text' as const, 'thinking' as const),
    key,
    text,
  }),
  fc.record({ type: fc.constant('call' as const), call, tool }),
  fc.record({
    type: fc.constant('call-input' as const),
    call,
    delta: fc.constantFrom('{"a":', '1}', '{}', '[[['),
  }),
  fc.record({ type: fc.constant('call-ready' as const), call, tool, input: fc.constantFrom(null, { a: 1 }) }),
  fc.record({
    type: fc.constant('result' as const),
    call,
    output: fc.constantFrom(null, 'done'),
    preliminary: fc.boolean(),
  }),
  fc.record({ type: fc.constant('failure' as const), call, error: text }),
  fc.record({ type: fc.constant('ask' as const), call, approval: fc.uuid() }),
  fc.record({
    type: fc.constant('subagent' as const),
    call,
    news: fc.record({
      status: fc.constantFrom(
        'running' as const,
        'completed' as const,
        'failed' as const,
        'stopped' as const,
      ),
    }),
  }),
  fc.record({
    type: fc.constant('retract' as const),
    keys: fc.array(fc.oneof(key, call), { maxLength: 3 }),
  }),
  fc.constant<Op>({
    type: 'show',
    chunk: { type: 'data-notice', data: { level: 'info', code: 'x', message: 'y' } },
  }),
  fc.record({
    type: fc.constant('unread' as const),
    chunk: fc.constant({
      type: 'data-notice' as const,
      data: { level: 'warning' as const, code: 'x', message: 'y' },
    }),
    beginning: fc.array(call, { maxLength: 3 }).map(calls => JSON.stringify(calls)),
  }),
  fc.constant<Op>({ type: 'show', chunk: { type: 'data-todos', id: 'todos', data: { todos: [] } } }),
  fc.constant<Op>({ type: 'show', chunk: { type: 'file', url: 'data:,', mediaType: 'image/png' } }),
  fc.constant<Op>({ type: 'step-end' }),
  fc.record({
    type: fc.constant('finish' as const),
    reason: fc.constantFrom('finished' as const, 'interrupted' as const, 'failed' as const),
    error: fc.constant({ kind: 'broken', message: 'It broke.' }),
  }),
)
const deed: fc.Arbitrary<Deed> = fc.record({
  thread: fc.constantFrom(null, null, null, 'c1', 'c2', 'nobody'),
  ops: fc.array(op, { maxLength: 3 }),
})

describe('parts, for any ops', () => {
  it('[P2] gives a well-formed stream for any sequence of ops', () => {
    fc.assert(fc.property(fc.array(deed, { maxLength: 60, size: 'max' }), play), {
      numRuns: 1_500,
    })
  })

  it('[A2] never changes a given state', () => {
    fc.assert(
      fc.property(fc.array(deed, { maxLength: 15 }), deeds => {
        let parts = initialParts('test', 'c')
        for (const { thread, ops } of deeds) {
          const before = structuredClone(parts)
          const [next, chunks] = build(parts, ops, thread)
          expect(parts).toEqual(before)
          expect(build(parts, ops, thread)).toEqual([next, chunks])
          parts = next
        }
      }),
      { numRuns: 100 },
    )
  })

  it('[R4] an answer of 4,000 steps and calls takes less than a second', () => {
    const answer = () => {
      let parts = initialParts('test', 'c')
      for (let at = 0; at < 4_000; at += 1) {
        const id = `c${at}`
        const ops: readonly Op[] = [
          { type: 'text', key: id, delta: 'Reading. ' },
          { type: 'final', kind: 'text', key: id, text: 'Reading. ' },
          { type: 'call-ready', call: id, tool: 'Read', input: {} },
          { type: 'result', call: id, output: null },
          { type: 'step-end' },
        ]
        for (const each of ops) [parts] = build(parts, [each])
      }
    }
    expect(cpuTime(answer)).toBeLessThan(1_000)
  })
})
