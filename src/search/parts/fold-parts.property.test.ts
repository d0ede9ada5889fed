import fc from 'fast-check'
import { expect, it } from 'vitest'
import { foldEntries } from '../../projections/fold.ts'
import { createMessages } from '../../projections/messages.ts'
import { session } from '../../projections/session.arbitrary.ts'
import type { Entry } from '../../protocol/entry.ts'
import type { Json } from '../../protocol/json.ts'
import type { MessagePart } from '../../protocol/message.ts'
import { propertyRuns } from '../../protocol/property-runs.fixture.ts'
import type { IndexedPart, PartKey } from '../engine.ts'
import { textOfJson } from '../text/text-of-json.ts'
import { textOfOutput } from '../text/text-of-output.ts'
import { createPartsFold } from './fold-parts.ts'
import { readPart } from './read-part.ts'

type Texts = ReadonlyMap<string, string>

const keyOf = ({ thread, message, kind, part }: PartKey) => [thread, message, kind, part].join(' ')

/** What an index has after some entries; it is saved, and read on in another fold, after each number of them. */
function indexed(entries: readonly Entry[], sizes: readonly number[]): ReadonlyMap<string, IndexedPart> {
  const parts = new Map<string, IndexedPart>()
  let state: Json | undefined
  for (let at = 0, turn = 0; at < entries.length; turn += 1) {
    const fold = createPartsFold(state)
    const size = sizes[turn % sizes.length] ?? 1
    for (const entry of entries.slice(at, at + size)) fold.apply(entry)
    at += size
    const batch = fold.take()
    state = JSON.parse(JSON.stringify(batch.state)) as Json
    for (const removed of batch.removed)
      for (const [key, part] of parts)
        if (part.thread === removed.thread && part.message === removed.message && part.part === removed.part)
          parts.delete(key)
    for (const part of batch.parts)
      if (part.text.trim() === '') parts.delete(keyOf(part))
      else parts.set(keyOf(part), part)
  }
  return parts
}

/** The texts that the messages of a session show. */
function shown(entries: readonly Entry[]): Texts {
  const folded = foldEntries(createMessages(undefined, { replaced: true }), entries)
  const all = [...folded.values()].flat().flatMap(({ thread, message, partIds }) =>
    message.parts.flatMap((each, index) =>
      textsIn(each, message.role === 'user').map(([kind, text]) => {
        const part = partIds[index] ?? String(index)
        return [keyOf({ thread, message: message.id, kind, part }), text] as const
      }),
    ),
  )
  return new Map(all.filter(([, text]) => text.trim() !== ''))
}

function textsIn(part: MessagePart, isPrompt: boolean): readonly (readonly [IndexedPart['kind'], string])[] {
  if (part.type === 'text') return [[isPrompt ? 'prompt' : 'answer', part.text]]
  if (part.type === 'reasoning') return [['thinking', part.text]]
  if (part.type !== 'dynamic-tool' || part.state === 'input-streaming') return []
  const input = [
    'tool-input',
    textOfJson(part.state === 'output-error' ? (part.input ?? part.rawInput) : part.input),
  ] as const
  if (part.state === 'output-available') return [input, ['tool-output', textOfOutput(part.output)]]
  return part.state === 'output-error' ? [input, ['tool-output', part.errorText]] : [input]
}

const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 })

it('[J15] the index has each text of the messages once, however often it was saved in between', () => {
  fc.assert(
    fc.property(session({ answers: false }), sizes, (entries, portions) => {
      const texts = new Map([...indexed(entries, portions)].map(([key, { text }]) => [key, text]))
      expect(Object.fromEntries(texts)).toEqual(Object.fromEntries(shown(entries)))
    }),
    { numRuns: propertyRuns(100) },
  )
})

it('[J15] each text can be read again from the entries of its place', () => {
  fc.assert(
    fc.property(session({ answers: false }), sizes, (entries, portions) => {
      for (const part of indexed(entries, portions).values())
        expect(readPart(part, entries.slice(part.first - 1, part.seq))).toBe(part.text)
    }),
    { numRuns: propertyRuns(60) },
  )
})
