import { describe, expect, it } from 'vitest'
import { createDraftStore } from './draft-store.ts'
import { fakeStorage } from './fake-storage.fixture.ts'

describe('draft text', () => {
  it('[W3] survives a reload until it is finished', () => {
    const storage = fakeStorage()
    const draftStore = createDraftStore(storage)
    expect(draftStore.write('a', 'half a')).toBeNull()
    draftStore.write('b', '')
    expect([draftStore.read('a'), draftStore.read('b'), draftStore.read('c')]).toEqual(['half a', '', null])
    expect(createDraftStore(storage).read('a')).toBe('half a')
    draftStore.forget(what => what === 'a')
    expect([draftStore.read('a'), draftStore.read('b')]).toEqual([null, ''])
    draftStore.forget(() => true)
    expect(storage.size()).toBe(0)
  })

  it('[W3] is the text of the page that wrote last', () => {
    const storage = fakeStorage()
    const [one, other] = [createDraftStore(storage), createDraftStore(storage)]
    one.write('a', 'one')
    other.write('b', 'beside')
    other.write('a', 'other')
    expect([one.read('a'), one.read('b')]).toEqual(['other', 'beside'])
    other.forget(what => what === 'a')
    expect(one.read('a')).toBeNull()
  })

  it('[R4] is limited in number: the oldest drafts are deleted', () => {
    const storage = fakeStorage()
    const draftStore = createDraftStore(storage)
    for (let at = 0; at < 60; at++) draftStore.write(`n${at}`, 'x')
    expect([draftStore.read('n9'), draftStore.read('n10'), draftStore.read('n59')]).toEqual([null, 'x', 'x'])
    for (let at = 0; at < 6; at++) draftStore.write(`long${at}`, 'x'.repeat(90_000))
    expect(storage.getItem('dragoman begun')?.length).toBeLessThan(410_000)
    expect([draftStore.read('n59'), draftStore.read('long1'), draftStore.read('long2')?.length]).toEqual([
      null,
      null,
      90_000,
    ])
  })

  it('[W3] reports a full storage, and lasts as long as the page', () => {
    const full = createDraftStore(fakeStorage({ isFull: true }))
    expect(full.write('a', 'x')).toMatch(/storage is full/)
    expect(full.read('a')).toBe('x')
    const roomy = createDraftStore(fakeStorage())
    expect(roomy.write('a', 'x'.repeat(100_001))).toMatch(/storage is full/)
    expect(roomy.read('a')).toHaveLength(100_001)
    roomy.forget(() => true)
    expect(roomy.read('a')).toBeNull()
    const without = createDraftStore(null)
    expect(without.write('a', 'x')).toBeNull()
    for (let at = 0; at < 50; at++) without.write(`n${at}`, 'x')
    expect([without.read('a'), without.read('n49')]).toEqual([null, 'x'])
  })

  it.each(['{"a":', '7', '"a"', '{"a":"x"}', '[["a",7],["a"],["a","x","y"],7,null,[["a"],"x"]]', '[[]]'])(
    '[R2] is empty when the storage holds %s',
    text => {
      const storage = fakeStorage()
      storage.setItem('dragoman begun', text)
      const draftStore = createDraftStore(storage)
      expect(draftStore.read('a')).toBeNull()
      draftStore.forget(() => true)
      expect(draftStore.write('a', 'mine')).toBeNull()
      expect(createDraftStore(storage).read('a')).toBe('mine')
    },
  )
})
