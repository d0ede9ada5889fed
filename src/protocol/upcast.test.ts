import { expect, it } from 'vitest'
import { eventVersion, upcast, type Upcaster } from './upcast.ts'

const steps: readonly Upcaster[] = [
  event => ({ ...event, second: true }),
  event => ({ ...event, third: true }),
]

it('[J9] an event of any older version goes through every step after its own, in order', () => {
  expect(upcast({ type: 'x' }, 1, steps)).toEqual({ type: 'x', second: true, third: true })
  expect(upcast({ type: 'x' }, 2, steps)).toEqual({ type: 'x', third: true })
})

it('[J9] an event of the newest version is returned unchanged, and a newer one is refused', () => {
  const event = { type: 'x' }
  expect(upcast(event, 3, steps)).toBe(event)
  expect(upcast(event, eventVersion)).toBe(event)
  expect(() => upcast(event, 4, steps)).toThrow(
    /events of version 4, but this Dragoman reads only up to version 3\. Update Dragoman\./,
  )
})
