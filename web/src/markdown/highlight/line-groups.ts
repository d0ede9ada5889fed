import type { ColouredLine } from './coloured.ts'
import type { Colours } from './use-colours.ts'

/** How many lines are laid out together: when a text grows, only its last group is laid out again. */
const size = 64

/** The lines of a text in groups; the first ones are highlighted if possible, newer lines are plain. */
export function groupLines(text: string, colours: Colours | null): readonly (readonly ColouredLine[])[] {
  const lines = linesOf(text, colours)
  return Array.from({ length: Math.ceil(lines.length / size) }, (_, index) =>
    lines.slice(index * size, (index + 1) * size),
  )
}

function linesOf(text: string, colours: Colours | null): readonly ColouredLine[] {
  if (colours === null) return plain(text)
  const [rest = [], ...more] = plain(text.slice(colours.text.length))
  const last = colours.lines.at(-1) ?? []
  return [...colours.lines.slice(0, -1), [...last, ...rest], ...more]
}

const plain = (text: string) => text.split('\n').map((line): ColouredLine => (line === '' ? [] : [[0, line]]))

/** Whether two groups look the same. */
export const areSameLines = (some: readonly ColouredLine[], others: readonly ColouredLine[]): boolean =>
  some.length === others.length && some.every((line, index) => isSameLine(line, others[index] ?? []))

const isSameLine = (line: ColouredLine, other: ColouredLine) =>
  line.length === other.length &&
  line.every(([kind, text], index) => other[index]?.[0] === kind && other[index][1] === text)

/** The pieces of lines with their ends; those of the same kind are one, so that plain text is one piece. */
export function piecesOf(lines: readonly ColouredLine[], isLast: boolean): ColouredLine {
  const pieces: [kind: number, text: string][] = []
  for (const [index, line] of lines.entries()) {
    const end = isLast && index === lines.length - 1 ? '' : '\n'
    for (const [kind, text] of [...line, [0, end] as const]) {
      const last = pieces.at(-1)
      if (last?.[0] === kind) last[1] += text
      else if (text !== '') pieces.push([kind, text])
    }
  }
  return pieces
}
