import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { InteractionId } from '../protocol/ids.ts'
import type { Actor, Rendering } from '../protocol/manipulation.ts'
import { compile } from './compile.ts'
import { makeChange, createChangeBatch } from './change-batch.ts'
import type { Manifest } from './manifest.ts'
import { profiles } from './profiles.ts'
import { strategiesAfter } from './run-strategies.ts'
import { countingIds, createTalk, manyLines, type Talk } from './talk.fixture.ts'

const shortWords = fc.constantFrom('', 'ok', 'fine, thank you', 'one\ntwo\nthree', 'a secret in a few words')
/** About as long as its placeholder. */
const middling = fc
  .integer({ min: 60, max: 260 })
  .map(length => 'some words of a tool '.repeat(20).slice(0, length))
const long = fc
  .tuple(fc.constantFrom('a', 'b'), fc.integer({ min: 2, max: 60 }))
  .map(([name, count]) => manyLines(name, count))
const results = fc.oneof(shortWords, { weight: 3, arbitrary: middling }, { weight: 2, arbitrary: long })

const paths = fc.constantFrom('/w/a.ts', `/w/${'a-very-long-folder/'.repeat(5)}b.ts`, `/w/${'"'.repeat(40)}`)

const calls = fc.oneof(
  fc
    .tuple(paths, fc.option(fc.integer({ min: 1, max: 1_000_000 }), { nil: undefined }))
    .map(([path, offset]) => ['Read', { file_path: path, ...(offset && { offset, limit: 10 }) }] as const),
  fc.tuple(paths, results).map(([path, content]) => ['Write', { file_path: path, content }] as const),
  fc.constantFrom('npm test', 'git status').map(command => ['Bash', { command }] as const),
  results.map(content => ['TodoWrite', { todos: [{ content, status: 'pending' }] }] as const),
)

const renderings = fc.record(
  {
    how: fc.constant('clear' as const),
    moment: fc.constantFrom('now' as const, 'boundary' as const, 'insertion' as const),
    what: fc.constantFrom('result' as const, 'input' as const, 'both' as const),
    keepFirst: fc.nat(3),
    keepLast: fc.nat(8),
  },
  { requiredKeys: ['how', 'moment'] },
)

const scenes = fc.array(
  fc.record({
    call: calls,
    result: results,
    isError: fc.boolean(),
    minutes: fc.constantFrom(0, 0, 10),
    /** A change that a policy proposes meanwhile. */
    wish: fc.option(fc.record({ part: fc.nat(), rendering: renderings }), { nil: null }),
  }),
  { minLength: 1, maxLength: 30 },
)

const policy: Actor = { kind: 'policy', name: 'x' }

/** Clears one part of those that are there, in the name of a policy. */
function wish(talk: Talk, at: number, rendering: Rendering, newId: ReturnType<typeof countingIds>): void {
  const parts = talk.history().messages.flatMap(({ message }) => message.parts)
  const chosen = parts[at % parts.length]
  if (chosen === undefined) return
  const batch = createChangeBatch(talk.history(), talk.options({ newId }))
  const interactions = ['i1' as InteractionId]
  const why = { strategy: 'test', reason: 'it is of no use to anybody any more, they say' }
  const nothing = { trigger: null, replacedBy: null, causedBy: null }
  const parted = { actor: policy, interactions, parts: [chosen.id], to: 'archived', rendering } as const
  makeChange(batch, { ...parted, ...why, ...nothing })
  talk.append(...batch.events)
}

describe('a replacement', () => {
  it('[X3] is never larger than the part that it replaces, whatever tools and policies ask for', () => {
    const all = fc.constantFrom(profiles.lossless, profiles.safe, profiles.balanced, profiles.aggressive)
    fc.assert(
      fc.property(scenes, all, (played, profile) => {
        const talk = createTalk()
        const newId = countingIds('w')
        talk.user('go')
        let manifest: Manifest | null = null
        for (const scene of played) {
          talk.wait(scene.minutes)
          const [tool, input] = scene.call
          const id = talk.call(tool, input, scene.result, { error: scene.isError })
          talk.append(...strategiesAfter(talk.history(), id, talk.options({ newId })))
          if (scene.wish !== null) wish(talk, scene.wish.part, scene.wish.rendering, newId)
          // Small, so that the window fills.
          const target = talk.target({ window: 3000, fixedTokens: 100 })
          manifest = compile(talk.history(), target, profile, manifest).manifest
          for (const { decision, tokens } of manifest.changes)
            if (decision !== null) expect(tokens?.after).toBeLessThan(tokens?.before ?? 0)
        }
      }),
      { numRuns: 300 },
    )
  })
})
