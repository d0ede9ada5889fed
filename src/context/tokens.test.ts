import { expect, it } from 'vitest'
import type { FileSource } from './formats/conversation.ts'
import { tokensOf, tokensOfText } from './tokens.ts'

const file = (mediaType: string, source: FileSource) => tokensOf({ id: 'f', kind: 'file', mediaType, source })

it('[X6] a file counts as many tokens as a model makes of it: text by its words, pictures all the same, documents by size', () => {
  const data = 'QUJD'.repeat(100_000)
  expect(file('text/plain', { text: 'x'.repeat(3000) })).toBe(tokensOfText(3000))
  expect(file('text/csv', { data })).toBe(tokensOfText(300_000))
  expect(file('image/png', { data })).toBe(file('image/png', { url: 'https://a.b/c.png' }))
  expect(file('application/pdf', { data })).toBe(12_000)
  expect(file('application/pdf', { data: data.repeat(100) })).toBe(100_000)
})
