import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RawMessage } from '../agent.ts'
import { partsOf, stored, translateLines } from '../kit/lossless.fixture.ts'
import { claudeCode } from './index.ts'
import { recording } from './lines.fixture.ts'

const names = readdirSync(join(import.meta.dirname, 'recordings'))
  .filter(name => name.endsWith('.jsonl'))
  .map(name => name.replace('.jsonl', ''))
  .filter(name => recording(name).length < 150)

/** All text and thinking that is kept of some lines. */
function wordsOf(lines: readonly RawMessage[]): readonly string[] {
  const heard = { messages: stored(translateLines(claudeCode, lines)) }
  return [...partsOf(heard, 'text'), ...partsOf(heard, 'reasoning')].map(({ text }) => text)
}

/** How often a piece says what another one says, too. */
function repeatsIn(words: readonly string[]): number {
  const said = words.filter(text => text.trim() !== '')
  return said.flatMap((one, at) =>
    said.slice(at + 1).filter(other => one.includes(other) || other.includes(one)),
  ).length
}

/** As older releases say it, which do not name the message with each piece of its stream. */
const unnamed = ({ from, text }: RawMessage): RawMessage => ({
  from,
  text: text.replace(/,"api_message_id":"[^"]*"/, ''),
})

/** Where nothing but this line says that words do not count, they do without it. */
const takesBack = ({ text }: RawMessage) => text.includes('"abandoned_blocks"')

const releases = [
  ['as recorded', (lines: readonly RawMessage[]) => lines],
  ['with no names in the stream', (lines: readonly RawMessage[]) => lines.map(unnamed)],
] as const

describe.each(releases)('claude-code with lines missing, %s', (_, told) => {
  it.each(names)('[P5] %s: whatever line is dropped, nothing is said twice', name => {
    const lines = told(recording(name))
    const usual = repeatsIn(wordsOf(lines))
    const twice = lines.flatMap((line, at) => {
      const said = wordsOf(lines.toSpliced(at, 1))
      return repeatsIn(said) > usual && !takesBack(line) ? [{ line: at + 1, said }] : []
    })
    expect(twice).toEqual([])
  })

  it.each(names)('[P5] %s: wherever one begins to listen, nothing is said twice', name => {
    const lines = told(recording(name))
    const usual = repeatsIn(wordsOf(lines))
    const twice = lines.flatMap((_line, from) => {
      const said = wordsOf(lines.slice(from))
      return repeatsIn(said) > usual ? [{ from: from + 1, said }] : []
    })
    expect(twice).toEqual([])
  })
})
