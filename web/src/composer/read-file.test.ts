import { describe, expect, it } from 'vitest'
import { mediaTypeOf } from './read-file.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

describe('the type of a file', () => {
  it.each([
    ['image/png', '\u0000', 'image/png'],
    ['text/markdown; charset=utf-8', '# x', 'text/markdown'],
    ['video/mp2t', 'const x = 1', 'text/plain'],
    ['text/vnd.trolltech.linguist', 'const x = 1', 'text/plain'],
    ['text/x-python', 'print()', 'text/plain'],
    ['application/json', '{}', 'text/plain'],
    ['image/svg+xml', '<svg/>', 'text/plain'],
    ['', 'fn main() {}', 'text/plain'],
    ['', 'a\u0000b', 'application/octet-stream'],
    ['application/zip', 'PK\u0000', 'application/zip'],
  ])('[W3] reported as %j is %3$j', (reported, content, type) => {
    expect(mediaTypeOf(reported, bytes(content))).toBe(type)
  })

  it('[W3] is not text when the bytes are not valid text', () => {
    expect(mediaTypeOf('', new Uint8Array([0xff, 0xfe, 0x41]))).toBe('application/octet-stream')
  })
})
