import { allOf, anyOf, needOf, type Need } from './need.ts'

/** What a piece of a pattern matches: exactly this text, or texts of which only the need is known. */
interface Piece {
  readonly exact: string | null
  readonly need: Need | null
}

interface Reading {
  readonly signs: readonly string[]
  at: number
}

const unknown: Piece = { exact: null, need: null }
const empty: Piece = { exact: '', need: null }
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', f: '\f', v: '\v' }

/**
 * The texts that every match of a valid regular expression has. Whatever it does not understand asks for nothing, so
 * that no match is missed.
 */
export function needOfPattern(source: string): Need | null {
  const { exact, need } = readAlternatives({ signs: Array.from(source), at: 0 })
  return exact === null ? need : needOf(exact)
}

function readAlternatives(reading: Reading): Piece {
  const { signs } = reading
  const found = [readSequence(reading)]
  while (signs[reading.at] === '|') {
    reading.at += 1
    found.push(readSequence(reading))
  }
  const [only = unknown] = found
  if (found.length === 1) return only
  return {
    exact: null,
    need: anyOf(found.map(({ exact, need }) => (exact === null ? need : needOf(exact)))),
  }
}

/** Joins neighbours whose text is known to one text. */
function readSequence(reading: Reading): Piece {
  const { signs } = reading
  const needs: (Need | null)[] = []
  let run = ''
  let isExact = true
  const end = () => {
    needs.push(needOf(run))
    run = ''
    isExact = false
  }
  while (reading.at < signs.length && signs[reading.at] !== '|' && signs[reading.at] !== ')') {
    const { exact, need } = readAtom(reading)
    const [least, most] = readQuantifier(reading)
    if (exact !== null && least > 0) run += exact
    if (exact === null || least !== 1 || most !== 1) end()
    if (least > 0) needs.push(need)
  }
  if (isExact) return { exact: run, need: null }
  end()
  return { exact: null, need: allOf(needs) }
}

function readAtom(reading: Reading): Piece {
  const sign = reading.signs[reading.at] ?? ''
  reading.at += 1
  if (sign === '(') return readGroup(reading)
  if (sign === '[') return readClass(reading)
  if (sign === '\\') return readEscape(reading)
  if (sign === '^' || sign === '$') return empty
  return sign === '.' || sign === '{' ? unknown : { exact: sign, need: null }
}

/** A group that only looks around matches nothing itself, so nothing is known of it. */
function readGroup(reading: Reading): Piece {
  const { signs } = reading
  const start = signs.slice(reading.at, reading.at + 3).join('')
  const looks = /^\?(?:[=!]|<[=!])/.test(start)
  if (signs[reading.at] === '?') {
    const isNamed = start.startsWith('?<') && !looks
    const close = looks ? (start[1] === '<' ? '' : undefined) : isNamed ? '>' : ':'
    if (close === undefined) reading.at += 2
    else if (close === '') reading.at += 3
    else reading.at = signs.indexOf(close, reading.at) + 1
  }
  const inside = readAlternatives(reading)
  reading.at += 1
  return looks ? unknown : inside
}

/** Nothing is known of a class. In some modes, classes have classes inside. */
function readClass(reading: Reading): Piece {
  const { signs } = reading
  for (; reading.at < signs.length && signs[reading.at] !== ']'; reading.at += 1)
    if (signs[reading.at] === '\\') reading.at += 1
  reading.at += 1
  return unknown
}

function readEscape(reading: Reading): Piece {
  const { signs } = reading
  const sign = signs[reading.at] ?? ''
  reading.at += 1
  if (sign === 'b' || sign === 'B') return empty
  const rest = signs.slice(reading.at, reading.at + 40).join('')
  if (/\d/.test(sign)) {
    // A group, or the number of a sign in up to three digits.
    reading.at += /^\d{0,2}/.exec(rest)?.[0].length ?? 0
    return unknown
  }
  const skipped = {
    x: /^[\dA-Fa-f]{2}/,
    u: /^(?:\{[^}]*\}|[\dA-Fa-f]{4})/,
    p: braces,
    P: braces,
    k: /^<[^>]*>/,
    c: /^./,
  }
  if (Object.hasOwn(skipped, sign)) {
    const [text = ''] = skipped[sign as keyof typeof skipped].exec(rest) ?? []
    reading.at += Array.from(text).length
    return unknown
  }
  if (Object.hasOwn(escapes, sign)) return { exact: escapes[sign] ?? '', need: null }
  return /[\w]/.test(sign) ? unknown : { exact: sign, need: null }
}

const braces = /^\{[^}]*\}/

/** How often the piece before may appear. */
function readQuantifier(reading: Reading): readonly [least: number, most: number] {
  const rest = reading.signs.slice(reading.at, reading.at + 48).join('')
  const [all, sign, least, comma, most] = /^(?:([*+?])|\{(\d{1,20})(?:(,)(\d{0,20}))?\})\??/.exec(rest) ?? []
  if (all === undefined) return [1, 1]
  reading.at += all.length
  if (sign !== undefined) return [sign === '+' ? 1 : 0, sign === '?' ? 1 : Infinity]
  const fewest = Number(least)
  return [fewest, comma === undefined ? fewest : most === '' ? Infinity : Number(most)]
}
