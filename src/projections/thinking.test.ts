import { expect, it } from 'vitest'
import type { Chunk } from '../protocol/chunk.ts'
import type { Event } from '../protocol/event.ts'
import { foldEntries } from './fold.ts'
import { created, journal, spoke, started } from './journal.fixture.ts'
import { createThinking } from './thinking.ts'

const begin = (messageId: string): Chunk => ({ type: 'start', messageId })
const think = (id: string): Chunk => ({ type: 'reasoning-start', id })
const word = (id: string): Chunk => ({ type: 'reasoning-delta', id, delta: 'Hm' })
const decide = (id: string): Chunk => ({ type: 'reasoning-end', id })
const thoughtsOf = (...events: readonly Event[]) =>
  foldEntries(createThinking(), journal(created(), started('i'), ...events))

it('[W2] reasoning has the times of its start and its end, in each thread', () => {
  const thoughts = thoughtsOf(
    spoke('i', null, begin('m'), think('1')),
    spoke('i', null, word('1')),
    spoke('i', 'sub', begin('n'), think('1')),
    spoke('i', null, decide('1'), think('2')),
    spoke('i', 'sub', decide('1')),
  )
  expect(thoughts).toEqual([
    { thread: null, message: 'm', part: '1', start: { seq: 3, at: 3000 }, end: { seq: 6, at: 6000 } },
    { thread: 'sub', message: 'n', part: '1', start: { seq: 5, at: 5000 }, end: { seq: 7, at: 7000 } },
    { thread: null, message: 'm', part: '2', start: { seq: 6, at: 6000 }, end: null },
  ])
})

it('[W2] repeated reasoning keeps its first duration', () => {
  const told = [
    spoke('i', null, begin('m'), think('1')),
    spoke('i', null, decide('1'), { type: 'finish' }),
  ] as const
  const once = thoughtsOf(...told)
  expect(once).toMatchObject([{ start: { at: 3000 }, end: { at: 4000 } }])
  expect(thoughtsOf(...told, ...told)).toEqual(once)
})

it('[W2] an end without a start and reasoning outside of messages are ignored', () => {
  expect(thoughtsOf(spoke('i', null, think('1')), spoke('i', null, begin('m'), decide('2')))).toEqual([])
})
