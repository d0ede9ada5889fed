import { describe, expect, it } from 'vitest'
import { compile } from './compile.ts'
import type { Manifest } from './manifest.ts'
import { profiles } from './profiles.ts'
import { recordCompile } from './record-compile.ts'
import { rollBack } from './rollback.ts'
import { countingIds, createTalk, manyLines, textOf, type Talk } from './talk.fixture.ts'

const write = (talk: Talk, path: string, name: string) =>
  talk.call('Write', { file_path: path, content: manyLines(name, 230) }, 'ok')

/** One file written after the other, each compiled while the cache is warm: about 3,000 tokens a step. */
function writeOn(steps: number, more: Parameters<Talk['target']>[0] = {}) {
  const talk = createTalk()
  talk.user('go')
  const ids: string[] = []
  const manifests: Manifest[] = []
  for (let step = 0; step < steps; step += 1) {
    ids.push(write(talk, `/w/${step}.ts`, `f${step}x`))
    const target = talk.target({ fixedTokens: 0, boundary: step === 0, ...more })
    const { manifest } = compile(talk.history(), target, profiles.safe, manifests.at(-1) ?? null)
    talk.append(...recordCompile(talk.history(), manifest, null, 'applied'))
    manifests.push(manifest)
  }
  return { talk, ids, manifests }
}

describe('inputs of tools', () => {
  it('[X3] the input of an old write is cleared when the window fills, and its short fields stay', () => {
    const { talk, ids, manifests } = writeOn(90)
    expect(Math.max(...manifests.map(({ tokens }) => tokens.after))).toBeLessThan(160_000)
    expect(manifests.filter(({ isPrefixKept }) => !isPrefixKept).length).toBeLessThanOrEqual(3)
    const last = manifests.at(-1) ?? null
    const { conversation } = compile(talk.history(), talk.target({ fixedTokens: 0 }), profiles.safe, last)
    expect(textOf(conversation.messages, ids[0] ?? '')).toMatch(
      /^\{"file_path":"\/w\/0\.ts","content":"\[Write \/w\/0\.ts cleared: window full\. .*\]"\}$/,
    )
    expect(textOf(conversation.messages, ids.at(-1) ?? '')).toContain('f89x1 ')
  })

  it('[X3] the input that wrote a file in use stays', () => {
    const talk = createTalk()
    talk.user('go')
    const worked = write(talk, '/w/worked.ts', 'w')
    let manifest: Manifest | null = null
    for (let step = 0; step < 90; step += 1) {
      write(talk, `/w/${step}.ts`, `f${step}x`)
      if (step % 5 === 0)
        talk.call('Edit', { file_path: '/w/worked.ts', old_string: 'w1', new_string: 'w2' }, 'ok')
      manifest = compile(talk.history(), talk.target({ fixedTokens: 0 }), profiles.safe, manifest).manifest
    }
    expect(manifest?.decisions.size).toBeGreaterThan(20)
    expect(manifest?.decisions.has(worked)).toBe(false)
  })

  it('[X3] inputs stay in a history that an agent keeps itself: only results can be changed there', () => {
    const { ids, manifests } = writeOn(90, { onlyResults: true })
    expect(ids.some(id => manifests.at(-1)?.decisions.has(id))).toBe(false)
  })

  it('[X4] inputs come back with a rollback, and a branch has them as they were sent', () => {
    const { talk, ids, manifests } = writeOn(90)
    const [first = ''] = ids
    const calm = { ...profiles.safe, cold: null, pressure: null }
    const target = talk.target({ fixedTokens: 0 })
    const branch = compile(talk.history(), target, calm, null)
    expect(textOf(branch.conversation.messages, first)).toContain('cleared')
    const wish = { scope: { afterSeq: 0 }, actor: { kind: 'person', name: 'me' }, reason: 'no' } as const
    const event = rollBack(talk.history().ledger, wish, countingIds('r'))
    if (event !== null) talk.append(event)
    const after = compile(talk.history(), target, profiles.safe, manifests.at(-1) ?? null)
    expect(textOf(after.conversation.messages, first)).toContain('f0x1 ')
  })
})
