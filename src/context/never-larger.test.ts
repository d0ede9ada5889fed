import { describe, expect, it } from 'vitest'
import type { Actor, Rendering } from '../protocol/manipulation.ts'
import { compile } from './compile.ts'
import { createHistory } from './create-history.ts'
import type { ContentPart, Part } from './formats/conversation.ts'
import { emptyLedger } from './ledger.ts'
import { makeChange, createChangeBatch, type ManipulationEvent } from './change-batch.ts'
import { personsProposal } from './person.ts'
import { recallId } from './placeholder.ts'
import { profiles } from './profiles.ts'
import { strategiesAfter } from './run-strategies.ts'
import { createTalk, manyLines, textOf, type Talk } from './talk.fixture.ts'

/** Runs a command, and lets the strategies make earlier results obsolete; gives the id of the result. */
function run(talk: Talk, command: string, output: string): string {
  const id = talk.call('Bash', { command }, output)
  talk.append(...strategiesAfter(talk.history(), id, talk.options()))
  return `${id}.result`
}

const policy: Actor = { kind: 'policy', name: 'x' }

/** Archives a pair as an actor. */
function archive(
  talk: Talk,
  id: string,
  actor: Actor,
  rendering?: Rendering,
  options = talk.options(),
): readonly ManipulationEvent[] {
  const batch = createChangeBatch(talk.history(), options)
  const about = { person: 'me', parts: [id], reason: 'this was only an attempt of mine' }
  const proposal = personsProposal(batch.index, { ...about, to: 'archived' })
  makeChange(batch, { ...proposal, actor, ...(rendering !== undefined && { rendering }) })
  talk.append(...batch.events)
  return batch.events
}

describe('a part that is about as long as its placeholder', () => {
  it('[X3] is not cleared', () => {
    const talk = createTalk()
    talk.user('go')
    const path = `/w/${'a-very-long-folder/'.repeat(5)}b.ts`
    const near = talk.call('Read', { file_path: path, offset: 100_000, limit: 9 }, 'x'.repeat(101))
    const far = talk.call('Grep', { pattern: 'x' }, manyLines('hit', 200))
    for (let at = 0; at < 20; at += 1) talk.call('Bash', { command: `true ${at}` }, 'ok')
    const { manifest } = compile(talk.history(), talk.target(), profiles.safe, null)
    expect(manifest.decisions.get(`${far}.result`)?.rule).toBe('cold')
    expect(manifest.decisions.has(`${near}.result`)).toBe(false)
  })

  it('[X3] is not sent as a reference', () => {
    const draft = createHistory({ session: 's', agent: 'claude-code', cwd: '/w' })
    const lines = Array.from({ length: 6 }, (_, at) => `line ${at} of about so many words`).join('\n')
    // Written as JSON, each character of this name takes six.
    const input = { file_path: `/w/${'\u0001'.repeat(40)}` }
    const add = (call: string, content: ContentPart, step: number) => {
      const place = { interaction: 'i1', at: step, step }
      const parts: Part[] = [{ kind: 'call', id: call, call, tool: 'Read', input }]
      draft.add({ id: `a${step}`, role: 'assistant', parts }, place)
      const result: Part = {
        kind: 'result',
        id: `${call}.r`,
        call,
        tool: 'Read',
        content: [content],
        isError: false,
      }
      draft.add({ id: `r${step}`, role: 'tool', parts: [result] }, { ...place, step: step + 1 })
    }
    add('one', { kind: 'text', id: 't', text: lines }, 1)
    add('two', { kind: 'json', id: 'j', value: { lines } }, 2)
    const target = createTalk().target({ step: 3 })
    expect(compile(draft.view(emptyLedger), target, profiles.safe, null).manifest.changes).toEqual([])
  })
})

describe('a part that was sent before', () => {
  it('[X3] is not changed, also when an older version replaced it with something larger', () => {
    const talk = createTalk()
    talk.user('go')
    const [first] = [run(talk, 'npm test', 'all is well'), run(talk, 'npm test', 'all is well')]
    const { manifest } = compile(talk.history(), talk.target(), profiles.safe, null)
    expect(manifest.decisions.has(first)).toBe(false)
    const text = '[Bash npm test cleared: ran again later. If needed, recall 1erlqp30z8.]'
    const older = { as: 'placeholder', rule: 'ran-again', step: 2, text, keepLast: 8 } as const
    const before = { ...manifest, decisions: new Map([[first, older]]) }
    for (const boundary of [false, true]) {
      const next = compile(talk.history(), talk.target({ boundary }), profiles.safe, before)
      expect(textOf(next.conversation.messages, first)).toBe(`${text}\nall is well`)
      expect(next.manifest.changes).toEqual([])
    }
  })
})

describe('a reference to a part that is cleared', () => {
  const scene = () => {
    const talk = createTalk()
    talk.user('go')
    const ids = [1, 2].map(() => run(talk, 'npm test', manyLines('a', 60)))
    const warm = compile(talk.history(), talk.target(), profiles.safe, null).manifest
    expect(warm.decisions.get(ids[1] ?? '')).toMatchObject({ as: 'reference' })
    return { talk, ids, warm }
  }

  it('[X3] is cleared too if it is obsolete as well, although a reference is shorter', () => {
    const { talk, ids, warm } = scene()
    run(talk, 'npm test', 'all is well')
    for (let at = 0; at < 3; at += 1) talk.call('Grep', { pattern: `${at}` }, 'none')
    const { manifest } = compile(talk.history(), talk.target({ boundary: true }), profiles.safe, warm)
    expect(ids.map(id => manifest.decisions.get(id)?.as)).toEqual(['placeholder', 'placeholder'])
  })

  it('[X3] is cleared too if its source is cleared at the same time', () => {
    const talk = createTalk()
    talk.user('go')
    const long = manyLines('a', 200)
    const ids = [run(talk, 'cat log', long), run(talk, 'npm test', long)]
    run(talk, 'npm test', 'all is well')
    const warm = compile(talk.history(), talk.target(), { ...profiles.safe, cold: null }, null).manifest
    expect(ids.map(id => warm.decisions.get(id)?.as)).toEqual([undefined, 'reference'])
    for (let at = 0; at < 10; at += 1) talk.call('Grep', { pattern: `${at}` }, 'none')
    const { manifest } = compile(talk.history(), talk.target({ boundary: true }), profiles.safe, warm)
    expect(ids.map(id => manifest.decisions.get(id)?.rule)).toEqual(['cold', 'ran-again'])
  })

  it('[X3] is cleared too if both are cleared before they are first sent', () => {
    const talk = createTalk()
    talk.user('go')
    const warm = compile(talk.history(), talk.target(), profiles.safe, null).manifest
    const long = manyLines('a', 60)
    const ids = talk.calls(['Bash', { command: 'a' }, long], ['Bash', { command: 'b' }, long])
    for (const id of ids) archive(talk, id, policy, { how: 'clear', moment: 'insertion', keepLast: 8 })
    const { manifest } = compile(talk.history(), talk.target(), profiles.safe, warm)
    expect(ids.map(id => manifest.decisions.get(`${id}.result`)?.as)).toEqual(['placeholder', 'placeholder'])
  })

  it('[X3] stays a reference if its source stays: a placeholder is longer', () => {
    const { talk, ids, warm } = scene()
    const later = talk.options({ step: talk.step + 9 })
    archive(talk, ids[1] ?? '', policy, { how: 'clear', moment: 'now', keepLast: 8 }, later)
    for (let at = 0; at < 5; at += 1) talk.call('Grep', { pattern: `${at}` }, 'none')
    const { manifest } = compile(talk.history(), talk.target(), profiles.safe, warm)
    expect(talk.history().ledger.manipulations.size).toBe(2)
    expect(ids.map(id => manifest.decisions.get(id)?.as)).toEqual([undefined, 'reference'])
  })
})

describe('a part that a person clears', () => {
  const archived = (result: string) => {
    const talk = createTalk()
    talk.user('go')
    const id = talk.call('Bash', { command: 'cat secret' }, result)
    const events = archive(talk, id, { kind: 'person', name: 'me' })
    const { conversation, manifest } = compile(talk.history(), talk.target(), profiles.safe, null)
    return { id, talk, manifest, text: textOf(conversation.messages, `${id}.result`), events }
  }

  it('[X3] is cleared even if that saves nothing, with the shortest placeholder', () => {
    const { text, manifest, id } = archived('a secret')
    expect(text).toBe(`[cleared: recall ${recallId(`${id}.result`)}]`)
    const change = manifest.changes.find(({ part }) => part === `${id}.result`)
    expect(change?.tokens).toEqual({ before: 32, after: 38 })
  })

  it('[X3] gets the full placeholder, with the way back, where that is shorter than the part', () => {
    expect(archived(manyLines('a', 10)).text).toMatch(/^\[Bash .* cleared: .*\. If needed, recall \w+\.\]$/)
  })

  it('[X3] is not reported as cleared where nothing of it is cleared', () => {
    const { manifest, id } = archived('a secret')
    expect(manifest.decisions.has(id)).toBe(false)
  })

  it('[X8] is in the audit with the tokens that it saves, or with none', () => {
    const tokens = (result: string) => archived(result).events.map(each => 'tokens' in each && each.tokens)
    expect(tokens('a secret')).toEqual([0])
    const { manifest } = archived(manyLines('a', 10))
    expect(tokens(manyLines('a', 10))).toEqual([manifest.tokens.before - manifest.tokens.after])
  })
})
