import { describe, expect, it } from 'vitest'
import {
  attachmentsIn,
  isPicture,
  noRoomFor,
  promptParts,
  textIn,
  tooLarge,
  type Attachment,
} from './attachment.ts'

const note: Attachment = {
  id: 'a1',
  name: 'note.txt',
  mediaType: 'text/plain',
  url: 'data:text/plain;base64,aGVsbG8=',
  size: 5,
}

describe('attachments', () => {
  it('[W3] are sent with the text as file parts, and are restored when the prompt is edited', () => {
    const parts = promptParts('look', [note])
    expect(parts).toEqual([
      { type: 'text', text: 'look' },
      { type: 'file', url: note.url, mediaType: 'text/plain', filename: 'note.txt' },
    ])
    expect(textIn(parts)).toBe('look')
    expect(attachmentsIn(parts, () => 'new')).toEqual([{ ...note, id: 'new', size: 6 }])
  })

  it('[W3] can be sent without text, but an empty message is not a prompt', () => {
    expect(promptParts(' \n', [note])).toHaveLength(1)
    expect(promptParts(' \n', [])).toEqual([])
  })

  it('[W3] that exceed the server’s limit are refused with a message before they are read', () => {
    expect(noRoomFor({ name: 'film.mp4', size: 13 << 20 }, [])).toMatch(
      /“film.mp4” is 13.0 MiB.*12.0 MiB in total/,
    )
    expect(noRoomFor({ name: 'film.mp4', size: 11 << 20 }, [])).toBeNull()
    const full = [{ ...note, url: `data:,${'x'.repeat(15 << 20)}` }]
    expect(noRoomFor({ name: 'more.txt', size: 2 << 20 }, full)).toMatch(/there is room for/)
    expect(tooLarge('words', full)).toBeNull()
    expect(tooLarge('é'.repeat(1 << 20), full)).toMatch(/too large/)
  })

  it('[R3] show only images that cannot contain a script', () => {
    expect(isPicture({ mediaType: 'image/png', url: 'data:image/png;base64,' })).toBe(true)
    expect(isPicture({ mediaType: 'image/svg+xml', url: 'data:image/svg+xml,<svg/>' })).toBe(false)
    expect(isPicture({ mediaType: 'image/png', url: 'https://elsewhere/x.png' })).toBe(false)
  })
})
