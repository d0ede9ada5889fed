import { expect, it } from 'vitest'
import { createMemory } from './memory.ts'

it('[W2] the memory drops the oldest entry', () => {
  const memory = createMemory<number>(2)
  memory.keep('a', 1)
  memory.keep('b', 2)
  memory.keep('a', 3)
  memory.keep('c', 4)
  expect(['a', 'b', 'c'].map(text => memory.recall(text))).toEqual([3, undefined, 4])
})
