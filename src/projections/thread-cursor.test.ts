import { describe, expect, it } from 'vitest'
import type { Chunk, Thread } from '../protocol/chunk.ts'
import { finish, start } from './journal.fixture.ts'
import { createThreadCursor } from './thread-cursor.ts'

const step: Chunk = { type: 'start-step' }

function follow(...said: readonly (readonly [Thread, Chunk])[]): readonly (string | null)[] {
  const cursor = createThreadCursor()
  return said.map(([thread, chunk]) => cursor.follow({ thread, chunk }))
}

describe('createThreadCursor', () => {
  it('[P4] knows the open message of each thread', () => {
    expect(follow([null, start('m')], ['a', start('n')], [null, step], ['a', step])).toEqual([
      'm',
      'n',
      'm',
      'n',
    ])
    expect(follow([null, step], ['a', start('n')])).toEqual([null, 'n'])
  })

  it('[P3] returns to the message that a late result interrupted', () => {
    const late = [start('m2'), start('m1'), step, finish, step, finish, step]
    expect(follow(...late.map(chunk => [null, chunk] as const))).toEqual([
      'm2',
      'm1',
      'm1',
      'm1',
      'm2',
      'm2',
      'm2',
    ])
  })
})
