import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createInTurn } from './in-turn.ts'

it('[J2] works run one at a time in order, and one that fails does not stop the next', async () => {
  const inTurn = createInTurn()
  const order: string[] = []
  const work = (name: string, rounds: number) => async () => {
    order.push(`${name} begins`)
    for (let round = 0; round < rounds; round += 1) await setImmediate()
    order.push(`${name} ends`)
    if (name === 'b') throw new Error('b failed')
    return name
  }
  const results = await Promise.allSettled([inTurn(work('a', 9)), inTurn(work('b', 3)), inTurn(work('c', 0))])
  expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
  expect(results.map(result => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})
