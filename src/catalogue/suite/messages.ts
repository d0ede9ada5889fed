import assert from 'node:assert/strict'
import type { Event } from '../../protocol/event.ts'
import type { ConnectionId, InteractionId, PromptId } from '../../protocol/ids.ts'
import {
  call,
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

const story: readonly Event[] = [
  created(),
  started('i1', 'first'),
  spoke(
    'i1',
    null,
    { type: 'start', messageId: 'm1', messageMetadata: { a: 1, deep: { x: 1 } } },
    call('t1', 'task'),
  ),
  spoke('i1', 't1', start('m1-sub')),
  spoke('i1', 't1', finish),
  spoke('i1', null, { type: 'finish', messageMetadata: { b: 2, deep: { y: 2 } } }),
  ended('i1'),
  started('i2', null),
  spoke('i2', null, start('m2'), { type: 'text-start', id: 'x' }),
  spoke('i2', null, finish),
  ended('i2'),
  spoke('i1', null, start('m1'), output('t1'), finish),
  started('i3', 'third'),
  spoke('i3', null, start('m3'), { type: 'text-start', id: 'x' }),
  spoke('i3', null, { type: 'text-delta', id: 'x', delta: 'still talking' }),
  {
    type: 'validity-changed',
    target: { interaction: 'i1' as InteractionId },
    to: 'superseded',
    by: 'me',
    reason: 'because',
    replacedBy: null,
  },
]

/** Where messages are. */
export const messages: Tests = {
  '[J5] knows where each message is, what it belongs to, and whether it is valid': async (
    catalogue,
    stories,
  ) => {
    await stories.tell('s', ...story)
    const { messages: rows } = await catalogue.messages(s, { thread: null, limit: 10 })
    assert.deepEqual(
      rows.map(({ id, role, parent, synthetic, firstSeq, lastSeq, validity }) =>
        [id, role, parent, synthetic, firstSeq, lastSeq, validity].join(' '),
      ),
      [
        'm3 assistant prompt-i3 false 14  active',
        'prompt-i3 user m2 false 13 13 active',
        'm2 assistant m1 true 9 10 active',
        'm1 assistant prompt-i1 false 3 12 superseded',
        'prompt-i1 user  false 2 2 superseded',
      ],
    )
    assert.deepEqual(rows[3]?.metadata, { a: 1, b: 2, deep: { x: 1, y: 2 } })
    const subagent = await catalogue.messages(s, { thread: 't1', limit: 10 })
    assert.deepEqual(
      subagent.messages.map(({ id, parent, interaction, firstSeq, lastSeq }) =>
        [id, parent, interaction, firstSeq, lastSeq].join(' '),
      ),
      ['m1-sub m1 i1 4 5'],
    )
    const ofFirst = await catalogue.messagesOf(s, 'i1')
    assert.deepEqual(
      ofFirst.map(({ id }) => id),
      ['prompt-i1', 'm1', 'm1-sub'],
    )
    assert.equal(await catalogue.hasInteraction(s, 'i2' as InteractionId), true)
    assert.equal(await catalogue.hasInteraction(s, 'i9' as InteractionId), false)
    assert.equal(await catalogue.countMessages(s, 13, 16), 3)
    assert.deepEqual((await catalogue.path(s, 'm2')).toSorted(), ['i1', 'i2'])
  },
  '[J5] gives messages page by page, and as they were at an entry': async (catalogue, stories) => {
    await stories.tell('s', ...story.slice(0, 11))
    const edit: Event = {
      type: 'interaction-started',
      interaction: 'i4' as InteractionId,
      trigger: 'user',
      agent: 'test',
      prompt: 'prompt-i4' as PromptId,
      parts: [{ type: 'text', text: 'instead' }],
      parent: 'm1',
    }
    await stories.tell('s', edit)
    const ids = async (replaced: boolean, asOf?: number) => {
      const { messages: rows } = await catalogue.messages(s, { thread: null, limit: 10, replaced }, asOf)
      return rows.map(({ id, replacedBy }) => `${id}${replacedBy === null ? '' : ` by ${replacedBy}`}`)
    }
    assert.deepEqual(await ids(false), ['prompt-i4', 'm1', 'prompt-i1'])
    assert.deepEqual(await ids(true), ['prompt-i4', 'm2 by i4', 'm1', 'prompt-i1'])
    assert.deepEqual(await ids(false, 11), ['m2', 'm1', 'prompt-i1'])
    assert.deepEqual((await catalogue.path(s, 'prompt-i4')).toSorted(), ['i1', 'i4'])
    const first = await catalogue.messages(s, { thread: null, limit: 2 })
    const second = await catalogue.messages(s, { thread: null, limit: 2, before: first.next ?? 0 })
    assert.deepEqual(
      [...first.messages, ...second.messages].map(({ id }) => id),
      ['prompt-i4', 'm1', 'prompt-i1'],
    )
    assert.equal(second.next, null)
  },
  '[J5] ends a message where it is closed, and gives it no end while it is open again': async (
    catalogue,
    stories,
  ) => {
    const end = async () => (await catalogue.findMessage(s, 'm', null))?.lastSeq
    await stories.tell('s', created(), started('i'), spoke('i', null, start('m'), call('t')))
    assert.equal(await end(), null)
    await stories.tell('s', spoke('i', null, finish), ended('i'))
    assert.equal(await end(), 4)
    await stories.tell('s', spoke('i', null, start('m')))
    assert.equal(await end(), null)
    await stories.tell('s', spoke('i', null, output('t'), finish))
    assert.equal(await end(), 7)
    assert.equal(await catalogue.findMessage(s, 'm', 'elsewhere'), undefined)
  },
  '[J5] ends the messages that the exit of an agent closes, in all threads': async (catalogue, stories) => {
    await stories.tell('s', created(), started('i'), spoke('i', null, start('m'), call('t', 'Task')))
    await stories.tell('s', spoke('i', 't', start('sub')), spoke('i', null, finish), ended('i'), {
      type: 'agent-exited',
      connection: 'c' as ConnectionId,
      code: 1,
      signal: null,
      reason: null,
      chunks: [
        { thread: 't', chunk: { type: 'finish', messageMetadata: { reason: 'failed' } } },
        ...[start('m'), failure('t'), finish].map(chunk => ({ thread: null, chunk })),
      ],
    })
    const main = await catalogue.findMessage(s, 'm', null)
    const sub = await catalogue.findMessage(s, 'sub', 't')
    assert.deepEqual([main?.interaction, main?.firstSeq, main?.lastSeq], ['i', 3, 7])
    assert.deepEqual([sub?.interaction, sub?.firstSeq, sub?.lastSeq], ['i', 4, 7])
    assert.deepEqual(sub?.metadata, { reason: 'failed' })
  },
  '[X1] calls a message synthetic when its interaction was not started by a person': async (
    catalogue,
    stories,
  ) => {
    for (const trigger of ['user', 'agent', 'schedule', 'synthetic'] as const) {
      const begun = { ...started('i', null), trigger } as Event
      await stories.tell(trigger, created(), begun, spoke('i', null, start('m')))
      const row = await catalogue.findMessage(named(trigger), 'm', null)
      assert.equal(row?.synthetic, trigger !== 'user')
    }
  },
}
