import { expect, it } from 'vitest'
import { seldom } from './seldom.ts'

it('[R2] passes the same sentence on once, and again only after a while', () => {
  const passed: string[] = []
  let now = 0
  const pass = seldom(
    sentence => passed.push(`${now} ${sentence}`),
    () => now,
  )
  for (now = 0; now < 65_000; now += 1_000) pass('The disk is full.')
  pass('The disk is gone.')
  expect(passed).toEqual([
    '0 The disk is full.',
    '30000 The disk is full.',
    '60000 The disk is full.',
    '65000 The disk is gone.',
  ])
})
