import { expect, it } from 'vitest'
import type { Message, MessagePart } from 'dragoman'
import type { InteractionFacts } from './interaction-facts.ts'
import { wholeRows, type MessageSetting } from './whole-rows.ts'

const facts = (outcome: InteractionFacts['outcome']): InteractionFacts => ({
  id: 'i',
  trigger: 'user',
  agent: 'a',
  startedAt: 0,
  startSeq: 1,
  endedAt: 1,
  outcome,
  reason: null,
  handover: null,
})

function rowsOf(parts: readonly MessagePart[], outcome: InteractionFacts['outcome'] = 'finished') {
  const message: Message = { id: 'm', role: 'assistant', parts }
  const setting: MessageSetting = {
    depth: 0,
    thread: null,
    isOpen: outcome === null,
    validity: 'active',
    facts: facts(outcome),
  }
  return wholeRows(
    message,
    setting,
    () => false,
    () => [],
  ).rows
}
const kinds = (...given: Parameters<typeof rowsOf>) => rowsOf(...given).map(({ kind }) => kind)

it('[W2] a finished answer without text is reported; a running or failed one is not', () => {
  const silent: readonly MessagePart[] = [{ type: 'step-start' }, { type: 'text', text: ' ' }]
  expect(kinds(silent)).toEqual(['silent', 'footer'])
  expect(kinds(silent, null)).toEqual([])
  expect(kinds(silent, 'failed')).toEqual([])
  expect(kinds([...silent, { type: 'text', text: 'Yes.' }])).toEqual(['text', 'footer'])
  // The plan is pinned beside the conversation.
  expect(kinds([...silent, { type: 'data-todos', data: { todos: [] } }])).toEqual([])
})

it('[W2] consecutive messages of the same unknown type share a row', () => {
  const unknown = (kind: string): MessagePart => ({
    type: 'data-unknown',
    data: { agent: 'a', kind, native: null },
  })
  const rows = rowsOf([unknown('x'), unknown('x'), unknown('y'), { type: 'text', text: 'Hm.' }, unknown('y')])
  expect(rows.map(row => (row.kind === 'unknown' ? `${row.native} ${row.count}` : row.kind))).toEqual([
    'x 2',
    'y 1',
    'text',
    'y 1',
    'footer',
  ])
})
