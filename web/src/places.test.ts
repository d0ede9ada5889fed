import { describe, expect, it } from 'vitest'
import { readId } from '../../src/protocol/ids.ts'
import { addressOf, canBeSession, placeOf, type Place } from './places.ts'

const places: readonly Place[] = [
  { page: 'welcome' },
  { page: 'dashboard' },
  { page: 'approvals' },
  { page: 'session', session: '01a-b' },
  { page: 'session', session: 'odd/name ü', message: 'm:1/2' },
  { page: 'session', session: 's', interaction: 'i#?%' },
  { page: 'session', session: 's', message: 'm', found: { query: '"exit code" & ü?', part: 'm/p#1' } },
  { page: 'replay', session: 's' },
]

describe('places', () => {
  it.each(places)('[W1] convert to an address and back: %j', place => {
    expect(placeOf(addressOf(place))).toEqual(place)
  })

  it('[W1] an unknown address is reported as such, however odd it is', () => {
    for (const path of ['/s', '/x', '/s/a/b', '/s/a/m', '/s/a/m/b/c', '/dashboard/x', '/s/%E0%A4%A'])
      expect(placeOf(path)).toEqual({ page: 'nowhere', path })
  })

  it.each([
    's',
    '01a-b',
    'a.b:c_d',
    'nope',
    '.',
    '..',
    '...',
    '',
    '<script>',
    'ü',
    'a b',
    'a\n',
    'x'.repeat(129),
  ])('[W1] an ID that the server would refuse is not a session: %j', word => {
    const read = () => readId('session', word)
    if (canBeSession(word)) expect(read()).toBe(word)
    else expect(read).toThrow('is not a session id')
  })

  it('[W1] trailing slashes are ignored', () => {
    expect(placeOf('/s/a/')).toEqual({ page: 'session', session: 'a' })
  })
})
