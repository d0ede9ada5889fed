import { describe, expect, it } from 'vitest'
import { createDrafts, joined, noDraft, takenBack } from './drafts.ts'
import { fakeStorage } from '../drafts/fake-storage.fixture.ts'

const picture = {
  id: 'a',
  name: 'cat.png',
  mediaType: 'image/png',
  url: 'data:image/png;base64,AA==',
  size: 1,
}

describe('drafts', () => {
  it('[W3] survive a reload with the names of their files, and list the lost files', () => {
    const storage = fakeStorage()
    const drafts = createDrafts(storage)
    const draft = { ...noDraft, text: 'half a', attachments: [picture] }
    expect(drafts.write('s', draft)).toBeNull()
    expect(drafts.read('s')).toBe(draft)
    expect(createDrafts(storage).read('s')).toEqual({ ...noDraft, text: 'half a', lost: ['cat.png'] })
    expect(createDrafts(storage).read('other')).toEqual(noDraft)
  })

  it('[W3] are set aside while a prompt is edited, one on top of another, and survive a reload', () => {
    const storage = fakeStorage()
    const first = { ...noDraft, text: 'half a', attachments: [picture] }
    const second = takenBack(first, 'one', [])
    expect(second).toEqual({ ...noDraft, text: 'one', aside: first })
    expect(takenBack(second, 'two', []).aside).toBe(second)
    expect(takenBack({ ...second, text: ' ' }, 'two', []).aside).toBe(first)
    expect(joined(second)).toEqual({ ...first, text: 'one\n\nhalf a' })
    createDrafts(storage).write('s', { ...second, text: '' })
    expect(createDrafts(storage).read('s')).toEqual({
      ...noDraft,
      aside: { ...noDraft, text: 'half a', lost: ['cat.png'] },
    })
  })

  it('[W3] leave nothing in the storage when they are empty', () => {
    const storage = fakeStorage()
    const drafts = createDrafts(storage)
    drafts.write('s', { ...noDraft, text: 'x' })
    drafts.write('s', noDraft)
    expect(storage.size()).toBe(0)
  })

  it('[W3] report a full storage, and last as long as the page', () => {
    const drafts = createDrafts(fakeStorage({ isFull: true }))
    expect(drafts.write('s', { ...noDraft, text: 'x' })).toMatch(/storage is full/)
    expect(drafts.read('s').text).toBe('x')
  })

  it('[W3] are empty when the stored text is not valid, or there is no storage', () => {
    const storage = fakeStorage()
    storage.setItem('dragoman draft s', '{"text":')
    expect(createDrafts(storage).read('s')).toEqual(noDraft)
    storage.setItem('dragoman draft s', '{"text":7}')
    expect(createDrafts(storage).read('s')).toEqual(noDraft)
    expect(createDrafts(null).read('s')).toEqual(noDraft)
  })
})
