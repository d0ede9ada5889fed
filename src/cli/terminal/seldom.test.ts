import { expect, it } from 'vitest'
import { seldom } from './seldom.ts'

it('[R2] the same trouble is told once, and again only after a while', () => {
  const told: string[] = []
  let now = 0
  const tell = seldom(
    sentence => told.push(`${now} ${sentence}`),
    () => now,
  )
  for (now = 0; now < 65_000; now += 1_000) tell('The disk is full.')
  tell('The disk is gone.')
  expect(told).toEqual([
    '0 The disk is full.',
    '30000 The disk is full.',
    '60000 The disk is full.',
    '65000 The disk is gone.',
  ])
})
