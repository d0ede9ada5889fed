import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAddresses, maxSeq, maxSession } from './address.ts'

const pad = fc.uint8Array({ minLength: 10, maxLength: 10 })
const place = fc.record({
  session: fc.integer({ min: 1, max: maxSession }),
  seq: fc.integer({ min: 1, max: maxSeq }),
  at: fc.integer({ min: 0, max: 2 ** 47 }),
})

describe('ids as addresses', () => {
  it('[J2] an id is a UUID v7 that contains its time and the address of its entry', () => {
    fc.assert(
      fc.property(pad, place, (bytes, address) => {
        const addresses = createAddresses(bytes)
        const id = addresses.ofSession(address.session)(address.seq, address.at)
        expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
        expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(address.at)
        expect(addresses.read(id)).toEqual(address)
      }),
    )
  })

  it('[J2] two entries never share an id', () => {
    fc.assert(
      fc.property(pad, place, place, (bytes, one, other) => {
        const addresses = createAddresses(bytes)
        const [a, b] = [one, other].map(({ session, seq, at }) => addresses.ofSession(session)(seq, at))
        expect(a === b).toBe(one.session === other.session && one.seq === other.seq && one.at === other.at)
      }),
    )
  })

  it('[J2] an id that Dragoman did not create has no address', () => {
    const addresses = createAddresses(new Uint8Array(10))
    expect(addresses.read('not an id')).toBeUndefined()
    expect(addresses.read('00000000-0000-4000-8000-000000000000')).toBeUndefined()
    expect(addresses.read('00000000-0000-7fff-8000-000000000000')).toBeUndefined()
  })
})
