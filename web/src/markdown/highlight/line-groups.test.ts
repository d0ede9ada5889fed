import fc from 'fast-check'
import { expect, it } from 'vitest'
import { areSameLines, groupLines, piecesOf } from './line-groups.ts'

const text = fc
  .array(fc.constantFrom('a', 'bc ', '\n', '\n\n', '\t'), { maxLength: 400, size: 'max' })
  .map(parts => parts.join(''))

it('[W2] groups of lines make up the whole text, highlighted or not', () => {
  fc.assert(
    fc.property(text, fc.nat(400), (whole, cut) => {
      const before = whole.slice(0, cut)
      const lines = before.split('\n').map(line => line.split('').map(letter => [2, letter] as const))
      for (const colours of [null, { text: before, language: 'c', lines } as const]) {
        const groups = groupLines(whole, colours)
        const shown = groups.flatMap((group, index) => piecesOf(group, index === groups.length - 1))
        expect(shown.map(([, piece]) => piece).join('')).toBe(whole)
      }
    }),
  )
})

it('[W2] only the last group changes when a text grows', () => {
  const lines = Array.from({ length: 500 }, (_, index) => `line ${index}`).join('\n')
  const [before, after] = [groupLines(lines, null), groupLines(`${lines} more`, null)]
  const changed = after.filter((group, index) => !areSameLines(group, before[index] ?? []))
  expect([after.length, changed.length]).toEqual([8, 1])
})
