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

/** All stored text and thinking of some lines. */
function fieldsOf(lines: readonly RawMessage[]): readonly string[] {
  const recorded = { messages: stored(translateLines(claudeCode, lines)) }
  return [...partsOf(recorded, 'text'), ...partsOf(recorded, 'reasoning')].map(({ text }) => text)
}

/** How often a part repeats the text of another one. */
function repeatsIn(fields: readonly string[]): number {
  const texts = fields.filter(text => text.trim() !== '')
  return texts.flatMap((one, at) =>
    texts.slice(at + 1).filter(other => one.includes(other) || other.includes(one)),
  ).length
}

/** As in older releases, which do not name the message with each piece of its stream. */
const unnamed = ({ from, text }: RawMessage): RawMessage => ({
  from,
  text: text.replace(/,"api_message_id":"[^"]*"/, ''),
})

/** Where only this line says that a text does not count, the text stays without it. */
const takesBack = ({ text }: RawMessage) => text.includes('"abandoned_blocks"')

const releases = [
  ['as recorded', (lines: readonly RawMessage[]) => lines],
  ['with no names in the stream', (lines: readonly RawMessage[]) => lines.map(unnamed)],
] as const

describe.each(releases)('claude-code with lines missing, %s', (_, seen) => {
  it.each(names)('[P5] %s: no text is repeated when any one line is dropped', name => {
    const lines = seen(recording(name))
    const usual = repeatsIn(fieldsOf(lines))
    const twice = lines.flatMap((line, at) => {
      const texts = fieldsOf(lines.toSpliced(at, 1))
      return repeatsIn(texts) > usual && !takesBack(line) ? [{ line: at + 1, said: texts }] : []
    })
    expect(twice).toEqual([])
  })

  it.each(names)('[P5] %s: no text is repeated when reading begins at any line', name => {
    const lines = seen(recording(name))
    const usual = repeatsIn(fieldsOf(lines))
    const twice = lines.flatMap((_line, from) => {
      const texts = fieldsOf(lines.slice(from))
      return repeatsIn(texts) > usual ? [{ from: from + 1, said: texts }] : []
    })
    expect(twice).toEqual([])
  })
})
