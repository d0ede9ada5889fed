import { expect, it } from 'vitest'
import { counted, short } from './amounts.ts'

it('[W1] a number is followed by its noun, in the singular for one', () => {
  expect([0, 1, 2].map(count => counted(count, 'session'))).toEqual(['0 sessions', '1 session', '2 sessions'])
  expect([1, 12_400].map(count => counted(count, 'token', short))).toEqual(['1 token', '12.4k tokens'])
})
