import { describe, expect, it } from 'vitest'
import type { Chunk } from '../protocol/chunk.ts'
import type { DataParts } from '../protocol/data-parts.ts'
import type { Event } from '../protocol/event.ts'
import { foldEntries } from './fold.ts'
import { created, exited, journal, spoke, started } from './journal.fixture.ts'
import { project } from './projection.ts'
import { createSubagents } from './subagents.ts'
import { todos } from './todos.ts'

type Status = DataParts['subagent']['status']
const report = (id: string, status: Status, lastWords: string | null = null): Chunk => ({
  type: 'data-subagent',
  id,
  data: { agent: 'explore', description: 'look', status, toolCalls: 2, tokens: 5, cost: 0.1, lastWords },
})
const subagentsOf = (...events: readonly Event[]) =>
  foldEntries(createSubagents(), journal(created(), started('i'), ...events))

describe('createSubagents', () => {
  it('[P4] lists each with its last report, its thread and its parent', () => {
    const subagents = subagentsOf(
      spoke('i', null, report('a', 'running')),
      spoke('i', 'a', report('b', 'running')),
      spoke('i', null, report('a', 'completed', 'done')),
      spoke(null, null, report('a', 'completed', 'all done')),
    )
    expect(subagents).toMatchObject([
      {
        thread: 'a',
        parent: null,
        status: 'completed',
        lastWords: 'all done',
        start: { seq: 3 },
        stop: { seq: 5 },
      },
      { thread: 'b', parent: 'a', status: 'running', stop: null, agent: 'explore', toolCalls: 2, cost: 0.1 },
    ])
  })

  it('[P4] stops those whose process is gone', () => {
    expect(subagentsOf(spoke('i', null, report('a', 'running')), exited())).toMatchObject([
      { status: 'stopped', stop: { seq: 4 } },
    ])
    expect(subagentsOf(spoke('i', null, report('a', 'failed')), exited())).toMatchObject([
      { status: 'failed' },
    ])
  })
})

describe('todos', () => {
  it('[C3] has the current plan of each thread', () => {
    const plan = (...texts: readonly string[]): Chunk => ({
      type: 'data-todos',
      data: { todos: texts.map(text => ({ text, status: 'pending' })) },
    })
    const entries = journal(
      created(),
      spoke('i', null, plan('one')),
      spoke('i', 'sub', plan('three')),
      spoke('i', null, plan('one', 'two')),
    )
    const plans = project(todos, entries)
    expect(plans.get(null)?.map(({ text }) => text)).toEqual(['one', 'two'])
    expect(plans.get('sub')?.map(({ text }) => text)).toEqual(['three'])
    expect(project(todos, journal(created()), plans)).toBe(plans)
  })
})
