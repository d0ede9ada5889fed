import assert from 'node:assert/strict'
import type { Chunk } from '../../protocol/chunk.ts'
import type { UsageFilter } from '../read-usage.ts'
import {
  answered,
  ask,
  call,
  codeOf,
  created,
  ended,
  finish,
  named,
  output,
  spoke,
  start,
  started,
  used,
  type Tests,
} from './stories.ts'
import { hour, said, tellAt, usageOf } from './usage-stories.ts'

/** Usage by request, branch, session, file and reason. */
export const usageDetails: Tests = {
  '[J16] has the newest report of each limit of an agent, whichever session it came from': async (
    catalogue,
    stories,
  ) => {
    const limits = (share: number): Chunk => ({
      type: 'data-limits',
      data: { limits: [{ name: 'week', used: share, resetsAt: 8 * hour, isReached: share === 1 }] },
    })
    await tellAt(
      stories,
      'new',
      [0, created()],
      [0, started('i')],
      [5 * hour, spoke('i', null, start('m'), limits(1))],
    )
    await tellAt(
      stories,
      'old',
      [0, created()],
      [0, started('i')],
      [hour, spoke('i', null, start('m'), limits(0.5))],
    )
    const expected = [
      { agent: 'test', name: 'week', used: 1, resetsAt: 8 * hour, isReached: true, at: 5 * hour },
    ]
    assert.deepEqual((await usageOf(catalogue, {})).limits, expected)
  },
  '[W6] keeps requests of other models, sizes and times apart, and what exceeds the single requests': async (
    catalogue,
    stories,
  ) => {
    const request = (id: string, input: number, model: string, sum: number): Chunk => ({
      type: 'data-usage',
      data: {
        tokens: { input: sum, output: 0, cacheRead: 0, cacheWrite: 50 },
        cost: null,
        model,
        request: {
          id,
          tokens: { input, output: 0, cacheRead: 0, cacheWrite: 50 },
          hourWrites: 20,
        },
      },
    })
    await tellAt(
      stories,
      's',
      [0, created()],
      [0, started('i')],
      [hour, spoke('i', null, start('m'), request('a', 10, 'big', 10))],
      // The last report of a request counts.
      [hour, spoke('i', null, request('a', 100, 'big', 100))],
      [3 * hour, spoke('i', null, request('b', 1000, 'small', 1100))],
      [7 * hour, spoke('i', null, request('c', 3000, 'big', 4500), finish)],
    )
    const cutsOf = () => ({ contexts: [500, 2000], moments: [], daytimes: [] })
    const { total } = await usageOf(catalogue, { cutsOf })
    const seen = (charges = total.charges) =>
      charges
        ?.map(({ model, context, tokens, hourWrites }) => [model, context, tokens.input, hourWrites])
        .toSorted((one, other) => Number(one[1]) - Number(other[1]))
    assert.deepEqual(seen(), [
      // 4500 in all, less 4100 in single requests.
      ['big', 150, 500, 20],
      ['small', 1050, 1000, 20],
      ['big', 3050, 3000, 20],
    ])
    assert.deepEqual(total.tokens, { input: 4500, output: 0, cacheRead: 0, cacheWrite: 50 })
    const inputs = async (by: UsageFilter['by']) =>
      (await usageOf(catalogue, { by })).rows.map(row => [row.hour ?? row.block, row.tokens?.input ?? null])
    // What is not a single request counts with its message.
    assert.deepEqual(await inputs(['hour']), [
      ['1970-01-01T00:00+00:00', null],
      ['1970-01-01T01:00+00:00', 500],
      ['1970-01-01T03:00+00:00', 1000],
      ['1970-01-01T07:00+00:00', 3000],
    ])
    assert.deepEqual(await inputs(['block']), [
      ['1970-01-01T00:00+00:00', 1500],
      ['1970-01-01T07:00+00:00', 3000],
    ])
    const late = await usageOf(catalogue, { by: ['block'], from: 4 * hour })
    assert.deepEqual(
      late.rows.map(({ block, tokens }) => [block, tokens?.input]),
      [['1970-01-01T07:00+00:00', 3000]],
    )
  },
  '[W8] the cost that an answer reported includes its subagents, whose tokens are not estimated again':
    async (catalogue, stories) => {
      await tellAt(
        stories,
        's',
        [0, created()],
        [1, started('i')],
        [2, spoke('i', null, start('m'), call('task', 'Task'))],
        [3, spoke('i', 'task', start('sub'), used(100, null, 'small'), finish)],
        [4, spoke('i', null, output('task'), used(10, 0.5), finish)],
        [5, ended('i')],
        [6, started('j')],
        [7, spoke('j', null, start('n'), call('more', 'Task'))],
        [8, spoke('j', 'more', start('sub2'), used(200, null, 'small'), finish)],
        [9, spoke('j', null, output('more'), used(20, null), finish)],
      )
      const { total } = await usageOf(catalogue)
      assert.deepEqual(
        total.charges
          ?.map(({ model, reported, tokens }) => `${model} ${reported} ${tokens.input}`)
          .toSorted(),
        ['big false 20', 'big true 10', 'small false 200', 'small true 100'],
      )
    },
  '[W6] sums by the git branch that the agent reported last, and by none before it reported one': async (
    catalogue,
    stories,
  ) => {
    const on = (branch: string): Chunk => ({
      type: 'data-session',
      data: { agent: 'test', agentSession: null, model: null, cwd: null, branch },
    })
    await tellAt(
      stories,
      's',
      [0, created()],
      [1, started('i')],
      [2, spoke('i', null, start('l'), used(1, 1), finish)],
      [3, ended('i')],
      [4, started('j')],
      [5, spoke('j', null, start('m'), on('main'), used(10, 0.5), call('c'), output('c'), finish)],
      [6, ended('j')],
      [7, started('k')],
      [8, spoke('k', null, start('n'), on('topic'), used(5, 0.25), finish)],
      [9, ended('k')],
    )
    const { rows } = await usageOf(catalogue, { by: ['branch'] })
    assert.deepEqual(
      rows
        .map(row =>
          [row.branch, row.cost, row.tokens?.input, row.interactions, row.calls].map(String).join(' '),
        )
        .toSorted(),
      ['main 0.5 10 1 1', 'null 1 1 1 null', 'topic 0.25 5 1 null'],
    )
    await catalogue.forget(named('s'))
    assert.deepEqual((await usageOf(catalogue, { by: ['branch'] })).rows, [])
  },
  '[W6] sums by session, interaction, file and reason, and lines and waits': async (catalogue, stories) => {
    const edit = (id: string): Chunk => ({
      type: 'tool-input-available',
      toolCallId: id,
      toolName: 'Edit',
      input: { file_path: `/home/me/${id}.ts`, old_string: 'a', new_string: 'b\nc' },
      dynamic: true,
      providerExecuted: true,
    })
    const wrong = (toolCallId: string, errorText: string): Chunk => ({
      type: 'tool-output-error',
      toolCallId,
      errorText,
      dynamic: true,
      providerExecuted: true,
    })
    await tellAt(
      stories,
      's',
      [0, created('test', 'A title')],
      [hour, started('i')],
      [
        hour,
        said(used(10, 0.5), edit('one'), output('one'), edit('two'), wrong('two', 'No match in "a.ts".')),
      ],
      [2 * hour, ended('i')],
      [3 * hour, started('j')],
      [3 * hour, spoke('j', null, start('n'), used(5, 0.25), edit('three'), ask('three'))],
      [4 * hour, answered('ask-three')],
      [5 * hour, spoke('j', null, wrong('three', 'No match in "b.ts".'), finish)],
    )
    const read = async (...by: UsageFilter['by']) => usageOf(catalogue, { by })
    assert.deepEqual(
      (await read('session')).rows.map(({ session, title, cost, lines }) => [session, title, cost, lines]),
      [['s', 'A title', 0.75, { added: 2, removed: 1 }]],
    )
    assert.deepEqual(
      (await read('interaction')).rows.map(row => [row.interaction, row.session, row.cost, row.startSeq]),
      [
        ['i', 's', 0.5, 2],
        ['j', 's', 0.25, 5],
      ],
    )
    assert.equal((await read('session')).total.waitTime, hour)
    assert.deepEqual(
      (await read('file')).rows.map(({ file, calls, failures, lines }) => [
        file,
        calls,
        failures.calls,
        lines,
      ]),
      [
        ['/home/me/one.ts', 1, 0, { added: 2, removed: 1 }],
        ['/home/me/three.ts', 1, 1, null],
        ['/home/me/two.ts', 1, 1, null],
      ],
    )
    const reasons = await read('tool', 'reason')
    assert.deepEqual(
      reasons.rows.map(({ tool, reason, failures }) => [tool, reason, failures.calls]),
      [['Edit', 'No match in ….', 2]],
    )
    assert.deepEqual(reasons.total.calls, 3)
    assert.deepEqual((await read('file')).total.cost, 0.75)
    assert.equal(await codeOf(read('file', 'model')), 'invalid-input')
  },
}
