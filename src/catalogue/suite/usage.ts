import assert from 'node:assert/strict'
import type { InteractionId } from '../../protocol/ids.ts'
import { zoneOf } from '../days.ts'
import {
  call,
  codeOf,
  created,
  ended,
  failure,
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

/** Usage across sessions. */
export const usage: Tests = {
  '[W6] sums usage by day of a time zone, agent, model, folder and tool, and says what is unknown': async (
    catalogue,
    stories,
  ) => {
    await tellAt(
      stories,
      's',
      [0, created()],
      [22 * hour, started('i')],
      [22.5 * hour, said(used(10, 0.5), call('c'), output('c'), call('d', 'Bash'), failure('d'))],
      [23 * hour, ended('i', 'failed')],
    )
    await tellAt(
      stories,
      't',
      [0, created()],
      [30 * hour, started('i')],
      [31 * hour, said(used(5, null, 'small'))],
    )
    const days = await usageOf(catalogue)
    assert.deepEqual(
      days.rows.map(({ day, cost, time, calls }) => [day, cost, time, calls]),
      [
        ['1970-01-01', 0.5, hour, 2],
        // A running call counts until now.
        ['1970-01-02', null, 70 * hour, null],
      ],
    )
    const { charges, ...totals } = days.total
    assert.deepEqual(
      charges?.map(({ model, reported }) => [model, reported]),
      [
        ['big', true],
        ['small', false],
      ],
    )
    assert.deepEqual(totals, {
      sessions: 2,
      cost: 0.5,
      tokens: { input: 15, output: 2, cacheRead: 0, cacheWrite: 0 },
      time: 71 * hour,
      toolTime: 0,
      waitTime: 0,
      lines: { added: 0, removed: 0 },
      interactions: 2,
      calls: 2,
      failures: { interactions: 1, calls: 1 },
    })
    assert.deepEqual(days.unknown, { sessions: 1, messages: 1 })
    const berlin = await usageOf(catalogue, { zone: zoneOf('120') })
    assert.deepEqual(
      berlin.rows.map(({ day }) => day),
      ['1970-01-02'],
    )
    assert.deepEqual(
      (await usageOf(catalogue, { by: ['model'] })).rows.map(({ model, cost, time }) => [model, cost, time]),
      [
        ['big', 0.5, null],
        ['small', null, null],
      ],
    )
    const places = await usageOf(catalogue, { by: ['agent', 'folder'] })
    assert.deepEqual(
      places.rows.map(({ agent, folder, interactions }) => [agent, folder, interactions]),
      [['test', '/home/me', 2]],
    )
    assert.deepEqual(
      (await usageOf(catalogue, { by: ['tool'] })).rows.map(({ tool, calls, failures }) => [
        tool,
        calls,
        failures.calls,
      ]),
      [
        ['Bash', 1, 1],
        ['Read', 1, 0],
      ],
    )
    assert.equal((await usageOf(catalogue, { from: 24 * hour })).total.interactions, 1)
    assert.equal((await usageOf(catalogue, { without: ['test'] })).total.interactions, 0)
    assert.equal(await codeOf(usageOf(catalogue, { by: ['model', 'tool'] })), 'invalid-input')
  },
  '[W6] counts copies in branches and merges once, and deleted sessions not at all': async (
    catalogue,
    stories,
  ) => {
    const story = [started('i'), said(used(10, 0.5), call('c'), output('c')), ended('i')]
    const told = story.map((event, index) => [index + 1, event] as const)
    const elsewhere = { from: named('s'), seq: 4, chunks: [] }
    await tellAt(stories, 's', [0, created()], ...told)
    await tellAt(stories, 'b', [0, created()], ...told, [
      9,
      { type: 'session-branched', message: 'm', ...elsewhere },
    ])
    await tellAt(
      stories,
      'm',
      [0, created()],
      [1, started('own')],
      [2, spoke('own', null, start('own'), used(1, 1), finish)],
      [3, ended('own')],
      ...told,
      [9, { type: 'interactions-merged', interactions: ['i' as InteractionId], ...elsewhere }],
    )
    const total = async () => {
      const { cost, interactions, calls, sessions } = (await usageOf(catalogue)).total
      return { cost, interactions, calls, sessions }
    }
    assert.deepEqual(await total(), { cost: 1.5, interactions: 2, calls: 1, sessions: 2 })
    await tellAt(stories, 's', [10, { type: 'session-deleted' }])
    assert.deepEqual(await total(), { cost: 1, interactions: 1, calls: 0, sessions: 1 })
  },
  '[W6] gives an unknown total, not 0, where no message reported a cost': async (catalogue, stories) => {
    await tellAt(stories, 's', [0, created()], [1, started('i')], [2, said(used(5, null))])
    const { total } = await usageOf(catalogue)
    assert.equal(total.cost, null)
    assert.equal(total.tokens?.input, 5)
  },
}
