import { describe, expect, it } from 'vitest'
import type { Chunk, Thread } from '../protocol/chunk.ts'
import type { Entry } from '../protocol/entry.ts'
import { foldMessage } from './fold-message.ts'
import { foldEntries } from './fold.ts'
import {
  answered,
  ask,
  call,
  created,
  ended,
  exited,
  failure,
  finish,
  journal,
  output,
  spoke,
  start,
  started,
  text,
} from './journal.fixture.ts'
import { createInteractions } from './interactions.ts'
import { createMessages } from './messages.ts'
import { createToolCalls } from './tool-calls.ts'

const messagesOf = (entries: Iterable<Entry>) => foldEntries(createMessages(), entries)
const main = (entries: Iterable<Entry>) => messagesOf(entries).get(null) ?? []

describe('createMessages', () => {
  it('[C3] keeps the objects of unchanged parts', () => {
    const fold = createMessages()
    const [...entries] = journal(
      created(),
      started('i'),
      spoke('i', null, start('m'), ...text('t', 'One'), call('c')),
      spoke('i', null, output('c')),
    )
    const last = entries.pop()
    const [, before] = foldEntries(fold, entries).get(null) ?? []
    const [, after] = foldEntries(fold, last === undefined ? [] : [last]).get(null) ?? []
    expect(after?.message.parts[0]).toBe(before?.message.parts[0])
    expect(after?.message.parts[1]).not.toBe(before?.message.parts[1])
  })

  it('[J5] stores the origin of each message', () => {
    const entries = journal(
      created(),
      started('i1', 'Do it'),
      spoke('i1', null, start('m1'), call('c1', 'Task')),
      spoke('i1', 'c1', start('s1'), ...text('t', 'Working'), finish),
      spoke('i1', null, output('c1'), finish),
      ended('i1'),
      started('i2', null),
      spoke('i2', null, start('m2'), ...text('t', 'By the way'), finish),
      ended('i2'),
    )
    const [user, first, second] = main(entries)
    const origin = { agent: 'scripted', validity: 'active' }
    expect(user).toMatchObject({
      ...origin,
      message: { id: 'prompt-i1', role: 'user' },
      parent: null,
      synthetic: false,
    })
    expect(first).toMatchObject({
      ...origin,
      parent: 'prompt-i1',
      interaction: 'i1',
      firstSeq: 3,
      lastSeq: 5,
    })
    expect(second).toMatchObject({ ...origin, parent: 'm1', interaction: 'i2', synthetic: true })
    const [nested] = messagesOf(entries).get('c1') ?? []
    expect(nested).toMatchObject({
      ...origin,
      thread: 'c1',
      parent: 'm1',
      interaction: 'i1',
      synthetic: false,
    })
  })

  it('[P4] nests subagents at any depth', () => {
    const entries = journal(
      created(),
      started('i'),
      spoke('i', null, start('m'), call('a', 'Task')),
      spoke('i', 'a', start('n'), call('b', 'Task')),
      spoke('i', 'b', start('o'), ...text('t', 'Deep'), finish),
      spoke('i', 'a', output('b'), finish),
      spoke('i', null, output('a'), finish),
    )
    const parents = (['a', 'b'] as Thread[]).map(thread => messagesOf(entries).get(thread)?.[0]?.parent)
    expect(parents).toEqual(['m', 'n'])
  })

  it('[P3] adds a late result to the message of its call, even an interaction later', () => {
    const entries = journal(
      created(),
      started('i1'),
      spoke('i1', null, start('m1'), call('c1'), call('c2'), output('c2'), finish),
      ended('i1'),
      started('i2'),
      spoke('i2', null, start('m1'), output('c1', 'late'), finish),
      spoke('i2', null, start('m2'), ...text('t', 'Done'), finish),
    )
    const [, first, , second] = main(entries)
    expect(first?.message.parts).toMatchObject([
      { toolCallId: 'c1', state: 'output-available', output: 'late' },
      { toolCallId: 'c2', state: 'output-available', output: 'out' },
    ])
    expect(first).toMatchObject({ interaction: 'i1', lastSeq: 6 })
    expect(second?.message.parts).toMatchObject([{ text: 'Done' }])
  })

  it('[S1] closes open parts at an exit in the messages and interactions where they began', () => {
    const entries = journal(
      created(),
      started('i1'),
      spoke('i1', null, start('m1'), call('c1', 'Task'), finish),
      spoke('i1', 'c1', start('s1'), call('c2')),
      ended('i1'),
      started('i2'),
      exited(
        { thread: 'c1', chunk: failure('c2') },
        { thread: 'c1', chunk: finish },
        ...[start('m1'), failure('c1'), finish].map(chunk => ({ thread: null, chunk })),
      ),
    )
    const messages = messagesOf(entries)
    expect(messages.get(null)).toHaveLength(3)
    const failed = { state: 'output-error', errorText: 'no' }
    expect(messages.get(null)?.[1]).toMatchObject({
      interaction: 'i1',
      lastSeq: 7,
      message: { parts: [failed] },
    })
    expect(messages.get('c1')).toMatchObject([
      { interaction: 'i1', lastSeq: 7, message: { parts: [failed] } },
    ])
    expect(foldEntries(createToolCalls(), entries)).toMatchObject([
      { toolCallId: 'c1', interaction: 'i1', outcome: 'failure', end: { seq: 7 } },
      { toolCallId: 'c2', interaction: 'i1', outcome: 'failure', end: { seq: 7 } },
    ])
    const interactions = foldEntries(createInteractions(), entries)
    expect(interactions.map(each => each.messages)).toEqual([['prompt-i1', 'm1', 's1'], ['prompt-i2']])
  })

  it('[T6] stores the first answer to an approval, and the changed input', () => {
    const entries = journal(
      created(),
      started('i'),
      spoke('i', null, start('m'), call('c'), ask('c')),
      answered('ask-c', { reason: 'fine', input: { input: 'safer' } }),
      answered('ask-c', { approved: false }),
      spoke('i', null, output('c'), finish),
    )
    const approval = { id: 'ask-c', approved: true, reason: 'fine' }
    const input = { input: 'safer' }
    expect(main(entries.slice(0, 5))[1]?.message.parts).toMatchObject([
      { state: 'approval-responded', input, approval },
    ])
    expect(main(entries)[1]?.message.parts).toMatchObject([{ state: 'output-available', input, approval }])
  })

  it('[P5] a call with invalid input stays failed when more input arrives', () => {
    const begun: readonly Chunk[] = [
      start('m'),
      { type: 'tool-input-start', toolCallId: 'c', toolName: 'Read', dynamic: true },
      { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: '{"pa' },
    ]
    const broken: Chunk = {
      type: 'tool-input-error',
      toolCallId: 'c',
      toolName: 'Read',
      input: '{"pa',
      errorText: 'cut',
      dynamic: true,
    }
    const entries = journal(
      created(),
      started('i'),
      spoke('i', null, ...begun, broken),
      spoke('i', null, { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: 'th"}' }),
    )
    const [, stored] = main(entries)
    expect(stored?.message.parts[0]).toMatchObject({ state: 'output-error', errorText: 'cut' })
  })

  it('[P5] leaves out retracted parts', () => {
    const broken: Chunk = {
      type: 'tool-input-error',
      toolCallId: 'c',
      toolName: 'Read',
      input: '{"pa',
      errorText: 'cut',
      dynamic: true,
    }
    const retracted: Chunk = { type: 'data-retracted', data: { ids: ['t1', 'c'], indexes: [0, 2] } }
    const chunks = [start('m'), ...text('t1', 'Wro'), ...text('t2', 'Right'), broken, retracted, finish]
    const [, stored] = main(journal(created(), started('i'), spoke('i', null, ...chunks)))
    const wire = foldMessage(chunks)
    expect(stored?.message.parts).toEqual(wire.parts.filter((_, index) => index !== 0 && index !== 2))
    expect(stored?.partIds).toEqual(['t2', null])
  })

  it('[X2] derives the validity of a message from its parts', () => {
    const said = journal(
      created(),
      started('i'),
      spoke('i', null, start('m'), ...text('t', 'Hi'), call('c'), output('c'), finish),
    )
    const mark = (
      parts: readonly string[] | null,
      to: 'active' | 'archived' | 'superseded',
      seq: number,
    ): Entry => ({
      ...(said[0] as Entry),
      seq,
      event: {
        type: 'validity-changed',
        target: { interaction: 'i' as never, ...(parts !== null && { parts }) },
        to,
        by: 'me',
        reason: 'why',
        replacedBy: null,
      },
    })
    const validity = (...marks: readonly Entry[]) => main([...said, ...marks]).map(each => each.validity)
    expect(validity(mark(['t'], 'superseded', 4))).toEqual(['active', 'active'])
    expect(validity(mark(['t', 'c'], 'superseded', 4))).toEqual(['active', 'superseded'])
    expect(validity(mark(null, 'archived', 4))).toEqual(['archived', 'archived'])
    expect(validity(mark(null, 'archived', 4), mark(['c'], 'active', 5))).toEqual(['archived', 'active'])
    expect(validity(mark(null, 'archived', 4), mark(null, 'active', 5))).toEqual(['active', 'active'])
  })
})
