import { expect, it } from 'vitest'
import { inSlices } from './in-slices.ts'

it('[S12] other work gets its turn after each 8 ms of steps, and the result is that of the last step', async () => {
  let time = 0
  const turns: number[] = []
  const takeTurn = () => {
    turns.push(time)
    if (time < 100) setImmediate(takeTurn)
  }
  function* steps() {
    while (time < 100) {
      time += 1
      yield
    }
    return 'done'
  }
  setImmediate(takeTurn)
  expect(await inSlices(steps(), () => time)).toBe('done')
  expect(turns).toEqual(Array.from({ length: 12 }, (_, at) => (at + 1) * 8))
})

it('[S12] short work is done at once', async () => {
  let turns = 0
  setImmediate(() => (turns += 1))
  function* steps() {
    yield
    return 'done'
  }
  expect(await inSlices(steps(), () => 0)).toBe('done')
  expect(turns).toBe(0)
})
