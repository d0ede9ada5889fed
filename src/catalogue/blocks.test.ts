import { expect, it } from 'vitest'
import { blockAt, blocksIn } from './blocks.ts'
import { nameOfHour, zoneOf } from './days.ts'
import { reasonClass } from './reason-class.ts'

const hour = 3_600_000

it('[W6] a block begins with the first use after the one before it, and lasts five hours', () => {
  const hours = [1, 2, 5, 6, 20, 24, 25, 30].map(each => each * hour)
  const blocks = blocksIn(hours)
  expect(blocks).toEqual([1, 6, 20, 25, 30].map(each => each * hour))
  expect(hours.map(each => blockAt(blocks, each) / hour)).toEqual([1, 1, 1, 6, 20, 20, 25, 30])
  expect(blocksIn([])).toEqual([])
})

it('[W6] hours have names that are unique, also when the clocks change', () => {
  const berlin = zoneOf('Europe/Berlin')
  const change = Date.parse('2026-10-25T00:00:00Z')
  expect([0, 1].map(each => nameOfHour(berlin, change + each * hour))).toEqual([
    '2026-10-25T02:00+02:00',
    '2026-10-25T02:00+01:00',
  ])
  expect(nameOfHour(zoneOf('Asia/Kolkata'), Date.parse('2026-01-01T00:30:00Z'))).toBe(
    '2026-01-01T06:00+05:30',
  )
  expect(nameOfHour(zoneOf('-210'), Date.parse('2026-01-01T03:30:00Z'))).toBe('2026-01-01T00:00-03:30')
})

it('[W6] errors that differ only in names, paths and numbers have one reason', () => {
  const same = (...errors: readonly string[]) => new Set(errors.map(reasonClass))
  expect(same('File does not exist: /a/b.ts', 'File does not exist: src/c/d.ts')).toEqual(
    new Set(['File does not exist: …']),
  )
  expect(same('Line 1 is long', 'Line 27 is long\nmore')).toEqual(new Set(['Line N is long']))
  expect(same('Exit code 1', 'Exit code 127').size).toBe(2)
  expect(same('String "x" not found', "String 'a b c' not found")).toEqual(new Set(['String … not found']))
  expect(reasonClass('')).toBe('')
  expect(reasonClass('a'.repeat(500)).length).toBe(100)
})

it('[S28] the reason of a long or strange error is found at once', () => {
  const started = performance.now()
  for (const each of ['/', 'a/', '\\', '"', "'", '~', 'a', ' ', '1', './'])
    for (let round = 0; round < 100; round += 1) reasonClass(each.repeat(20_000))
  expect(performance.now() - started).toBeLessThan(2000)
})
