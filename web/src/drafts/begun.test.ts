import { describe, expect, it } from 'vitest'
import { createBegun } from './begun.ts'
import { fakeStorage } from './fake-storage.fixture.ts'

describe('words that were begun', () => {
  it('[W3] outlive the page, until they are over', () => {
    const storage = fakeStorage()
    const begun = createBegun(storage)
    expect(begun.write('a', 'half a')).toBeNull()
    begun.write('b', '')
    expect([begun.read('a'), begun.read('b'), begun.read('c')]).toEqual(['half a', '', null])
    expect(createBegun(storage).read('a')).toBe('half a')
    begun.forget(what => what === 'a')
    expect([begun.read('a'), begun.read('b')]).toEqual([null, ''])
    begun.forget(() => true)
    expect(storage.size()).toBe(0)
  })

  it('[W3] are those of the page that wrote last', () => {
    const storage = fakeStorage()
    const [one, other] = [createBegun(storage), createBegun(storage)]
    one.write('a', 'one')
    other.write('b', 'beside')
    other.write('a', 'other')
    expect([one.read('a'), one.read('b')]).toEqual(['other', 'beside'])
    other.forget(what => what === 'a')
    expect(one.read('a')).toBeNull()
  })

  it('[R4] do not grow for ever: the oldest go', () => {
    const storage = fakeStorage()
    const begun = createBegun(storage)
    for (let at = 0; at < 60; at++) begun.write(`n${at}`, 'x')
    expect([begun.read('n9'), begun.read('n10'), begun.read('n59')]).toEqual([null, 'x', 'x'])
    for (let at = 0; at < 6; at++) begun.write(`long${at}`, 'x'.repeat(90_000))
    expect(storage.getItem('dragoman begun')?.length).toBeLessThan(410_000)
    expect([begun.read('n59'), begun.read('long1'), begun.read('long2')?.length]).toEqual([
      null,
      null,
      90_000,
    ])
  })

  it('[W3] say when there is no room for them, and are there as long as the page', () => {
    const full = createBegun(fakeStorage({ isFull: true }))
    expect(full.write('a', 'x')).toMatch(/storage is full/)
    expect(full.read('a')).toBe('x')
    const roomy = createBegun(fakeStorage())
    expect(roomy.write('a', 'x'.repeat(100_001))).toMatch(/storage is full/)
    expect(roomy.read('a')).toHaveLength(100_001)
    roomy.forget(() => true)
    expect(roomy.read('a')).toBeNull()
    const without = createBegun(null)
    expect(without.write('a', 'x')).toBeNull()
    for (let at = 0; at < 50; at++) without.write(`n${at}`, 'x')
    expect([without.read('a'), without.read('n49')]).toEqual([null, 'x'])
  })

  it.each(['{"a":', '7', '"a"', '{"a":"x"}', '[["a",7],["a"],["a","x","y"],7,null,[["a"],"x"]]', '[[]]'])(
    '[R2] are none where somebody else wrote %s',
    text => {
      const storage = fakeStorage()
      storage.setItem('dragoman begun', text)
      const begun = createBegun(storage)
      expect(begun.read('a')).toBeNull()
      begun.forget(() => true)
      expect(begun.write('a', 'mine')).toBeNull()
      expect(createBegun(storage).read('a')).toBe('mine')
    },
  )
})
