import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isNextLine, linesOf, sameLine, type Lines } from './lines.ts'
import { createVisibleLines, leastLines, type Match, type VisibleLines } from './visible-lines.ts'

/** The same by a full search: the newest place whose lines were shown together, and how many lines match. */
function createPlainLines(): VisibleLines {
  const parts: { order: number; part: string; lines: Lines; from: number; count: number }[] = []
  const isShown = (part: string, line: number) =>
    parts.some(each => each.part === part && line >= each.from && line < each.from + each.count)
  return {
    show(order, part, lines, from, count) {
      if (count >= leastLines) parts.push({ order, part, lines, from, count })
    },
    hide(part) {
      for (let at = parts.length - 1; at >= 0; at -= 1) if (parts[at]?.part === part) parts.splice(at, 1)
    },
    find(ours, from, most = ours.count) {
      const found = parts.flatMap(({ order, part, lines, ...shown }) => {
        const matches: (Match & { readonly order: number })[] = []
        for (let line = shown.from; line + leastLines <= shown.from + shown.count; line += 1) {
          const isSame = (at: number) =>
            from + at < ours.count &&
            isShown(part, line + at) &&
            sameLine(lines, line + at, ours, from + at) &&
            (at === 0 || (isNextLine(ours, from + at) && isNextLine(lines, line + at)))
          let length = 0
          while (length < most && isSame(length)) length += 1
          if (length >= leastLines) matches.push({ order, source: part, sourceFrom: line, lines: length })
        }
        return matches
      })
      const [newest] = found.toSorted((a, b) => b.order - a.order || b.sourceFrom - a.sourceFrom)
      return newest === undefined
        ? null
        : { source: newest.source, sourceFrom: newest.sourceFrom, lines: newest.lines }
    },
  }
}

/** Few words, so that lines repeat often; some are numbered, some numbers jump. */
const line = fc.constantFrom('x', 'x', 'x', 'y', '', '1\tx', '2\tx', '3\tx', '4\tx')
const same = fc.tuple(line, fc.integer({ min: 1, max: 20 })).map(([words, times]) => Array(times).fill(words))
const counted = fc
  .tuple(fc.nat(3), fc.integer({ min: 1, max: 12 }))
  .map(([first, times]) => Array.from({ length: times }, (_, index) => `${first + index}\tx`))
const text = fc
  .array(fc.oneof(same, counted, fc.array(line, { maxLength: 8 })), { maxLength: 4 })
  .map(runs => runs.flat().join('\n'))
const texts = fc.array(text, { minLength: 1, maxLength: 2 })

const steps = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('show' as const), part: fc.nat(4), from: fc.nat(30), count: fc.nat(60) }),
    fc.record({ do: fc.constant('hide' as const), part: fc.nat(4) }),
    fc.record({ do: fc.constant('find' as const), part: fc.nat(4), most: fc.option(fc.nat(30)) }),
  ),
  { minLength: 3, maxLength: 20 },
)

describe('visible lines', () => {
  it('[X3] are the same as those of a full search, after any order of showing and hiding', () => {
    fc.assert(
      fc.property(
        fc.array(texts, { minLength: 5, maxLength: 5 }),
        steps,
        fc.boolean(),
        (all, acts, isAlike) => {
          const parts = all.map(each => {
            const lines = linesOf(each)
            // Sometimes every line has the same hash, so that only the text differs.
            return isAlike ? { ...lines, hash: lines.hash.map(() => 7) } : lines
          })
          const [visible, plain] = [createVisibleLines(), createPlainLines()]
          for (const act of acts) {
            const lines = parts[act.part] ?? linesOf([])
            const id = `p${act.part}`
            for (const each of [visible, plain])
              if (act.do === 'hide') each.hide(id)
              else if (act.do === 'show') {
                const from = Math.min(act.from, lines.count)
                each.show(act.part, id, lines, from, Math.min(act.count, lines.count - from))
              }
            if (act.do !== 'find') continue
            for (let at = 0; at < lines.count; at += 1)
              expect(visible.find(lines, at, act.most ?? undefined)).toEqual(
                plain.find(lines, at, act.most ?? undefined),
              )
          }
        },
      ),
      { numRuns: 400 },
    )
  })
})
