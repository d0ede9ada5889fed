import assert from 'node:assert/strict'
import type { ApprovalId, InteractionId } from '../../protocol/ids.ts'
import type { ApprovalFilter } from '../list-approvals.ts'
import type { InteractionFilter } from '../list-interactions.ts'
import type { WorkFilter } from '../list-work.ts'
import {
  answered,
  ask,
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
  type Tests,
} from './stories.ts'

const s = named('s')

const asked = (id: string) => [
  created(),
  started('i'),
  spoke('i', null, start('m'), call(`call-${id}`, 'Bash')),
  spoke('i', null, ask(`call-${id}`, id)),
]
const elsewhere = { from: named('one'), seq: 4, chunks: [] }

/** Tool calls, interactions and approvals. */
export const work: Tests = {
  '[X10] lists the work log by page, tool, outcome and place': async (catalogue, stories) => {
    await stories.tell(
      's',
      created(),
      started('i1'),
      spoke(
        'i1',
        null,
        start('m1'),
        call('a'),
        output('a'),
        call('b', 'Bash'),
        failure('b'),
        call('t', 'Task'),
      ),
      spoke('i1', 't', start('sub'), call('c'), finish),
      spoke('i1', null, finish),
      ended('i1'),
      started('i2'),
      spoke('i2', null, start('m2'), call('d')),
    )
    const ids = async (filter: Partial<WorkFilter>) =>
      (await catalogue.work(s, { limit: 10, ...filter })).entries.map(({ toolCallId }) => toolCallId)
    assert.deepEqual(await ids({}), ['a', 'b', 't', 'c', 'd'])
    assert.deepEqual(await ids({ tool: 'Bash' }), ['b'])
    assert.deepEqual(await ids({ outcome: 'failure' }), ['b'])
    assert.deepEqual(await ids({ interaction: 'i2' }), ['d'])
    assert.deepEqual(await ids({ message: 'm1' }), ['a', 'b', 't'])
    assert.deepEqual(await ids({ thread: 't' }), ['c'])
    assert.deepEqual(await ids({ thread: '' }), ['a', 'b', 't', 'd'])
    const last = await catalogue.work(s, { limit: 3 })
    const rest = await catalogue.work(s, { limit: 3, cursor: last.next ?? '' })
    assert.deepEqual(
      [...rest.entries, ...last.entries].map(({ toolCallId }) => toolCallId),
      ['a', 'b', 't', 'c', 'd'],
    )
    assert.equal(rest.next, null)
    assert.equal(await codeOf(catalogue.work(s, { limit: 1, cursor: 'x' })), 'invalid-input')
  },
  '[X1] lists interactions with their messages, their outcome and the work in them': async (
    catalogue,
    stories,
  ) => {
    await stories.tell(
      's',
      created(),
      started('i1'),
      spoke('i1', null, start('m1'), call('a'), output('a'), call('b'), failure('b'), finish),
      ended('i1', 'failed'),
      started('i2', null),
      spoke('i2', null, start('m2'), call('d')),
    )
    const list = async (filter: Partial<InteractionFilter>) =>
      (await catalogue.interactions(s, { limit: 10, ...filter })).interactions
    assert.deepEqual(
      (await list({})).map(({ id, trigger, state, outcome, messages, work: counts }) => [
        id,
        trigger,
        state,
        outcome,
        messages.map(each => each.id).join(),
        counts,
      ]),
      [
        [
          'i1',
          'user',
          'closed',
          'failed',
          'prompt-i1,m1',
          { pending: 0, success: 1, failure: 1, partial: 0 },
        ],
        ['i2', 'agent', 'open', null, 'm2', { pending: 1, success: 0, failure: 0, partial: 0 }],
      ],
    )
    for (const filter of [{ state: 'open' }, { trigger: 'agent' }] as const)
      assert.deepEqual(
        (await list(filter)).map(({ id }) => id),
        ['i2'],
      )
    const last = await catalogue.interactions(s, { limit: 1 })
    assert.deepEqual(
      (await list({ before: last.next ?? 0 })).map(({ id }) => id),
      ['i1'],
    )
    await stories.tell('s', {
      type: 'validity-changed',
      target: { interaction: 'i1' as InteractionId },
      to: 'archived',
      by: 'me',
      reason: '',
      replacedBy: null,
    })
    assert.deepEqual(
      (await list({ validity: 'archived' })).map(({ id }) => id),
      ['i1'],
    )
  },
  '[T1] lists approvals of all sessions, but not of deleted ones, and not the copies in branches': async (
    catalogue,
    stories,
  ) => {
    await stories.tell('one', ...asked('a'))
    await stories.tell('deleted', ...asked('b'), { type: 'session-deleted' })
    await stories.tell('archived', ...asked('c'), { type: 'session-archived' })
    await stories.tell('branch', ...asked('a'), { type: 'session-branched', message: 'm', ...elsewhere })
    await stories.tell('merged', ...asked('a'), {
      type: 'interactions-merged',
      interactions: ['i' as InteractionId],
      ...elsewhere,
    })
    await stories.tell('settled', ...asked('d'), answered('d'))
    const list = async (filter: Partial<ApprovalFilter>) =>
      (await catalogue.approvals({ limit: 10, ...filter })).places.map(
        ({ session, id }) => `${session} ${id}`,
      )
    assert.deepEqual(await list({}), ['settled d', 'archived c', 'one a'])
    assert.deepEqual(await list({ status: 'pending' }), ['archived c', 'one a'])
    assert.deepEqual(await list({ status: 'settled' }), ['settled d'])
    const { next } = await catalogue.approvals({ limit: 1 })
    assert.deepEqual(await list({ cursor: next ?? '' }), ['archived c', 'one a'])
    for (const cursor of ['', 'x', '1~s', "1~s'~1.1", '1~s~1', '-1~s~1.0'])
      assert.equal(await codeOf(list({ cursor })), 'invalid-input', cursor)
  },
  '[T6] keeps the first answer to an approval, and takes its id for another call as a new question': async (
    catalogue,
    stories,
  ) => {
    await stories.tell('s', ...asked('a'), answered('a'), answered('a', false), {
      type: 'approval-lapsed',
      approval: 'a' as ApprovalId,
      reason: 'Too late.',
    })
    assert.deepEqual(await catalogue.findApproval(s, 'a'), { askedSeq: 4, settledSeq: 5 })
    await stories.tell('s', spoke('i', null, call('other', 'Write'), ask('other', 'a')))
    assert.deepEqual(await catalogue.findApproval(s, 'a'), { askedSeq: 8, settledSeq: null })
    assert.equal(await catalogue.findApproval(s, 'b'), undefined)
  },
}
