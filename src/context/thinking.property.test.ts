import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compile, type Compiled } from './compile.ts'
import type { Message, Part } from './formats/conversation.ts'
import type { History } from './history.ts'
import { makeChange, createChangeBatch } from './change-batch.ts'
import type { Manifest } from './manifest.ts'
import { personsProposal } from './person.ts'
import { profiles } from './profiles.ts'
import { recordCompile } from './record-compile.ts'
import { rollBack } from './rollback.ts'
import { play, scenes } from './talk.arbitrary.ts'
import { countingIds, createTalk, manyLines, type Talk } from './talk.fixture.ts'

const policies = fc.constantFrom(...Object.values(profiles))
const partsOf = (messages: readonly Message[]): readonly Part[] => messages.flatMap(({ parts }) => parts)
/** Results that never came are in no message, so they cannot be where one cuts. */
const bytesOf = (parts: readonly Part[]) => JSON.stringify(parts.filter(({ id }) => !id.endsWith(':missing')))
const rawOf = ({ messages }: History, from = 0, to?: number) =>
  messages.slice(from, to).map(({ message }) => message)

/** Every piece of thinking that is sent comes after exactly the parts that its model got before it. */
function expectBound(sent: readonly Part[], history: History, requests: ReadonlyMap<number, string>): void {
  const { messages } = history
  for (const [at, part] of sent.entries()) {
    if (part.kind !== 'reasoning') continue
    const index = messages.findIndex(({ message }) => message.parts.includes(part))
    const own = messages[index]
    const first = own?.message.parts[0]
    const before = sent.slice(0, first === undefined ? at : sent.findIndex(({ id }) => id === first.id))
    // Requests that were not compiled here were sent unchanged.
    const raw = bytesOf(partsOf(rawOf(history, 0, index)))
    expect(bytesOf(before)).toBe(requests.get(own?.step ?? 0) ?? raw)
  }
}

function personTouches(talk: Talk, at: number, to: 'deleted' | 'archived'): void {
  const parts = partsOf(rawOf(talk.history()))
  const chosen = parts[at % parts.length]
  if (chosen === undefined) return
  const batch = createChangeBatch(talk.history(), talk.options({ newId: countingIds(`w${at}-`) }))
  makeChange(batch, personsProposal(batch.index, { person: 'p', parts: [chosen.id], to, reason: 'no' }))
  talk.append(...batch.events)
}

function takeAllBack(talk: Talk, at: number): void {
  const wish = { scope: { afterSeq: 0 }, actor: { kind: 'person', name: 'p' }, reason: 'undo' } as const
  const event = rollBack(talk.history().ledger, wish, countingIds(`r${at}-`))
  if (event !== null) talk.append(event)
}

const deeds = fc.array(fc.tuple(fc.constantFrom('none', 'deleted', 'archived', 'undo', 'silent'), fc.nat()), {
  maxLength: 40,
})

describe('bound thinking', () => {
  it('[X6] no thinking is sent after a part that its model did not get', () => {
    fc.assert(
      fc.property(scenes, deeds, policies, (all, wanted, policy) => {
        const talk = createTalk()
        const requests = new Map<number, string>()
        let manifest: Manifest | null = null
        let last: readonly Part[] = []
        talk.user('go')
        for (const [at, scene] of all.entries()) {
          if (scene.type === 'call') talk.thinks(`about ${at}`)
          play(talk, scene)
          const [deed = 'none', where = 0] = wanted[at] ?? []
          if (deed === 'deleted' || deed === 'archived') personTouches(talk, where, deed)
          if (deed === 'undo') takeAllBack(talk, at)
          const history = talk.history()
          // A request that was not made here: it continues the last one, with new parts unchanged.
          if (deed === 'silent') {
            requests.set(talk.step, bytesOf([...last, ...partsOf(rawOf(history, manifest?.messages ?? 0))]))
            continue
          }
          const target = talk.target({ window: 16_000, fixedTokens: 1000, thinking: 'bound' })
          const copy: Manifest | null = manifest === null ? null : { ...manifest }
          const compiled: Compiled = compile(history, target, policy, manifest)
          expect(compile(history, target, policy, copy).conversation).toEqual(compiled.conversation)
          manifest = compiled.manifest
          talk.append(...recordCompile(history, manifest, null, 'applied'))
          const sent = partsOf(compiled.conversation.messages)
          expectBound(sent, history, requests)
          requests.set(target.step, bytesOf(sent))
          last = sent
        }
      }),
      { numRuns: 200 },
    )
  })
})

const reading = (talk: Talk, count: number) => {
  for (let at = 0; at < count; at += 1) {
    talk.thinks(`about ${at}`)
    talk.call('Bash', { command: `cat ${at}` }, manyLines(`f${at}x`, 100))
  }
}
const thoughts = (messages: readonly Message[]) =>
  partsOf(messages).flatMap(part => (part.kind === 'reasoning' ? [part.text] : []))

describe('the newest answer', () => {
  it('[X6] its thinking is left out, too, when a part before it is cleared at the next prompt', () => {
    const talk = createTalk()
    talk.user('go')
    reading(talk, 30)
    const target = talk.target({ thinking: 'bound' })
    const { manifest } = compile(talk.history(), target, profiles.off, null)
    talk.thinks('the last')
    talk.call('Bash', { command: 'true' }, 'ok')
    talk.wait(60)
    talk.user('next', 'i2')
    const next = compile(talk.history(), talk.target({ thinking: 'bound' }), profiles.safe, manifest)
    expect(next.manifest.changes.some(({ decision }) => decision?.rule === 'cold')).toBe(true)
    // Before the first of all nothing changed.
    expect(thoughts(next.conversation.messages)).toEqual(['about 0'])
  })

  it('[X6] while its tools run, nothing before it is changed, though it came after the last request', () => {
    const talk = createTalk()
    talk.user('go')
    for (let at = 0; at < 20; at += 1) talk.call('Bash', { command: `cat ${at}` }, manyLines(`f${at}x`, 100))
    const { manifest } = compile(talk.history(), talk.target({ thinking: 'bound' }), profiles.off, null)
    talk.thinks('hm')
    talk.call('Bash', { command: 'sleep' }, 'ok', { minutes: 10 })
    const next = compile(talk.history(), talk.target({ thinking: 'bound' }), profiles.safe, manifest)
    expect(next.manifest.isPrefixKept).toBe(true)
    expect(thoughts(next.conversation.messages)).toEqual(['hm'])
  })

  it('[X6] a tool loop that already runs when it is first seen was sent unchanged: its results stay', () => {
    const talk = createTalk()
    talk.user('go')
    for (let at = 0; at < 2; at += 1) {
      talk.thinks(`about ${at}`)
      talk.call('Bash', { command: `cat ${at}` }, manyLines('same', 100))
    }
    talk.thinks('and now')
    talk.call('Bash', { command: 'true' }, 'ok')
    const { conversation, manifest } = compile(
      talk.history(),
      talk.target({ thinking: 'bound' }),
      profiles.safe,
      null,
    )
    expect(manifest.decisions.size).toBe(0)
    expect(thoughts(conversation.messages)).toHaveLength(3)
  })
})
