/** The text to repeat, and the texts before and after it. */
export interface HostileInput {
  readonly before: string
  readonly pump: string
  readonly after: string
}

/** A hostile input of about so many characters. */
export const inputOf = ({ before, pump, after }: HostileInput, length: number): string =>
  before + pump.repeat(Math.ceil(length / pump.length)) + after

type Node =
  | { readonly type: 'atom'; readonly text: string; readonly repeats: boolean }
  | { readonly type: 'group'; readonly choices: readonly (readonly Node[])[]; readonly repeats: boolean }

const plainPumps = [
  ...' \n\t\r\0aA0-_/.:<>"\'`$\\*#[](){}|&;,=+@~^!?%'.split(''),
  '\u001B[',
  'é',
  '\u0301',
  'ا',
  '😀',
  '\u200D',
  'a ',
  ' a',
  '\n ',
  'a\n',
  '<a ',
  '</',
  '\\a',
  'a.',
  '0.',
  '![',
  '**a',
]
const ends = ['', '\n!', '\0', '\u{1F600}\n']

/**
 * Inputs that make a pattern try as much as it can: characters that many patterns take, and, for each part of the
 * pattern that may repeat, what leads to it and what it takes, many times over, with an end that does not fit.
 */
export function hostileInputs(source: string, flags: string): readonly HostileInput[] {
  const parts = repeatedParts(parse(source, flags).nodes, '')
  const derived = parts.flatMap(({ before, body }) => [
    { before, pump: body },
    { before: 'x!', pump: body },
    { before: '', pump: before + body },
    { before: '', pump: before },
  ])
  const pumped = [
    ...plainPumps.flatMap(pump => ['', 'x'].map(before => ({ before, pump }))),
    ...derived,
  ].filter(({ pump }) => pump !== '')
  const unique = new Map(pumped.map(each => [JSON.stringify(each), each]))
  return [...unique.values()].flatMap(each => ends.map(after => ({ ...each, after })))
}

interface Part {
  readonly before: string
  readonly body: string
}

/** Each part that may repeat, with a text that leads there. */
function repeatedParts(nodes: readonly Node[], lead: string): readonly Part[] {
  const parts: Part[] = []
  let before = lead
  for (const node of nodes) {
    if (node.type === 'group') {
      for (const choice of node.choices) {
        parts.push(...repeatedParts(choice, before))
        if (node.repeats) parts.push({ before, body: textOf(choice) })
      }
    } else if (node.repeats) parts.push({ before, body: node.text })
    before += textOf([node])
  }
  return parts
}

const textOf = (nodes: readonly Node[]): string =>
  nodes.map(node => (node.type === 'atom' ? node.text : textOf(node.choices[0] ?? []))).join('')

interface Parsed {
  readonly nodes: readonly Node[]
  readonly end: number
}

/** Reads a pattern into atoms, each with a text that it takes, and groups. */
function parse(source: string, flags: string, from = 0): Parsed {
  const choices: Node[][] = [[]]
  let at = from
  while (at < source.length && source[at] !== ')') {
    if (source[at] === '|') {
      choices.push([])
      at += 1
      continue
    }
    const piece = pieceAt(source, flags, at)
    const quantifier = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/.exec(source.slice(piece.end))?.[0] ?? ''
    const repeats = /^[*+]|^\{\d+,|^\{\d{2,}/.test(quantifier)
    if (piece.node !== null) choices.at(-1)?.push({ ...piece.node, repeats })
    at = piece.end + quantifier.length
  }
  const [only = []] = choices
  return { nodes: choices.length === 1 ? only : [{ type: 'group', choices, repeats: false }], end: at }
}

const opener = /^\((?:\?(?:[:=!]|<[=!]|<\w+>))?/
const atom =
  /^(?:\[(?:\\[^]|[^\]\\])*\]|\\p\{[^}]*\}|\\P\{[^}]*\}|\\u\{[^}]*\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\k<\w+>|\\[^]|[^])/iu

function pieceAt(
  source: string,
  flags: string,
  at: number,
): { readonly node: Node | null; readonly end: number } {
  const rest = source.slice(at)
  const open = opener.exec(rest)?.[0]
  if (open !== undefined) {
    const { nodes, end } = parse(source, flags, at + open.length)
    // The content of a negative lookaround is not a lead, but it may be slow.
    return { node: { type: 'group', choices: [nodes], repeats: false }, end: end + 1 }
  }
  const [text = ''] = atom.exec(rest) ?? []
  return { node: { type: 'atom', text: takenBy(text, flags), repeats: false }, end: at + text.length }
}

const alphabet = [
  ...'a0 <\n-x/."\'A\\;b_$:>=*#[]()!&éا'.split(''),
  '😀',
  '\u0301',
  '\u001B',
  '\u200D',
  '\uFE0F',
]

/** A character that an atom matches; none for positions such as `^`, `$` and `\b`. */
function takenBy(text: string, flags: string): string {
  if (/^(?:[$^]|\\[bB\d]|\\k<)/.test(text)) return ''
  const takes = new RegExp(`^(?:${text})$`, flags.replaceAll(/[gym]/g, '') + (flags.includes('s') ? '' : 's'))
  return (
    [...alphabet, ...text.split('')].find(each => takes.test(each)) ??
    String.fromCodePoint(...literalCode(text))
  )
}

const literalCode = (text: string): readonly number[] => {
  const code = /^\[?\^?\\[ux]\{?([\da-f]+)/i.exec(text)?.[1]
  return code === undefined ? [] : [Number.parseInt(code, 16)]
}
