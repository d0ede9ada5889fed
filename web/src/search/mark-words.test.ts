// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { rangesOf, wordsFound } from './mark-words.ts'

it('[J15] a word is marked over several elements, and whatever its case', () => {
  const row = document.createElement('p')
  for (const piece of ['run ', 'npm', ' te', 'st and NPM\n', 'test']) {
    const span = document.createElement('span')
    span.textContent = piece
    row.append(span)
  }
  const ranges = rangesOf(row, ['npm test'])
  expect(ranges.map(String)).toEqual(['npm test', 'NPM\ntest'])
  expect(ranges[0]?.startOffset).toBe(0)
  expect(row.querySelector('mark')).toBeNull()
})

it('[J15] each found word is marked once, and no single letter', () => {
  const place = { messageId: 'm', part: 'm/0', kind: 'answer' as const, seq: 1 }
  const words = wordsFound([
    {
      ...place,
      snippet: 'Parser and parser a',
      ranges: [
        [0, 6],
        [11, 17],
        [18, 19],
      ],
    },
    { ...place, snippet: '日', ranges: [[0, 1]] },
  ])
  expect(words).toEqual(['parser', '日'])
})
