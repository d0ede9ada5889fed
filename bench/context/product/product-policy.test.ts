import { describe, expect, it } from 'vitest'
import { profiles } from '../../../src/context/profiles.ts'
import { noScore, replay } from '../replay.ts'
import { readSession } from '../transcript/read-session.ts'
import { model, person, result } from '../transcript/transcript.fixture.ts'
import { productPolicy } from './product-policy.ts'

const read = (id: string) => ({ type: 'tool_use', id, name: 'Read', input: { file_path: '/w/a.ts' } })
const fileLines = Array.from({ length: 80 }, (_, line) => `const value${line} = 'something to be read'`)
const shown = fileLines.map((text, line) => `${String(line + 1).padStart(6)}→${text}`).join('\n')
const edit = {
  type: 'tool_use',
  id: 'e1',
  name: 'Edit',
  input: { file_path: '/w/a.ts', old_string: fileLines.slice(10, 13).join('\n'), new_string: 'short' },
}

/** A file read twice and then edited; much later, after a pause, one request more. */
const twice = [
  person(0, 'Look at it, then change it.'),
  model(1, 'm1', read('r1')),
  result(2, 'r1', shown),
  model(3, 'm2', read('r2')),
  result(4, 'r2', shown),
  model(5, 'm3', edit),
  result(6, 'e1', 'done'),
  model(7, 'm4', { type: 'text', text: 'Done.' }),
]

const scored = (lines: readonly string[]) => {
  const scores = Object.values(profiles).map(profile => noScore(productPolicy(profile, 'dropped')))
  replay(readSession('s', lines), scores)
  return new Map(scores.map(score => [score.policy.name, score]))
}

describe('the policies of the product, replayed', () => {
  it('[X3] sends a file that is read twice once, and the edit still finds its source', () => {
    const scores = scored(twice)
    const [off, lossless] = [scores.get('off'), scores.get('lossless')]
    // Two requests hold the second copy: as long as the file, line numbers and all.
    const copy = shown.length * 0.298
    const saved = (off?.usage.messageTokens ?? 0) - (lossless?.usage.messageTokens ?? 0)
    expect(saved / copy).toBeGreaterThan(1.8)
    expect(saved / copy).toBeLessThan(2)
    expect(lossless?.losses).toMatchObject({ edits: 1, editsLost: 0 })
    expect(lossless?.usage.warmBreaks).toBe(0)
  })

  it('[X6] every array is valid for four providers', () => {
    for (const { arrays, refusals } of scored(twice).values())
      expect({ arrays, refusals }).toEqual({ arrays: 4, refusals: [] })
  })

  it('[X4] everything rolled back gives the original, byte for byte', () => {
    for (const { unrestored } of scored(twice).values()) expect(unrestored).toBe(0)
  })

  it('[X6] a call without a result does not make a provider refuse the request', () => {
    const cut = [...twice.slice(0, 4), person(9, 'And?'), model(10, 'm5', { type: 'text', text: 'Sorry.' })]
    for (const { refusals } of scored(cut).values()) expect(refusals).toEqual([])
  })
})
