import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { InteractionId, ManipulationId } from '../protocol/ids.ts'
import type { Actor, Mark } from '../protocol/manipulation.ts'
import { propertyRuns } from '../protocol/property-runs.fixture.ts'
import { compile, type Compiled } from './compile.ts'
import type { Message, Part } from './formats/conversation.ts'
import { findInvalid, write } from './formats/index.ts'
import type { History } from './history.ts'
import { linesOf, sameLine } from './lines.ts'
import { makeChange, createChangeBatch } from './change-batch.ts'
import type { Manifest } from './manifest.ts'
import { textsOf } from './part-texts.ts'
import { personsProposal } from './person.ts'
import type { Policy } from './policy.ts'
import { profiles } from './profiles.ts'
import { manifestAfter, recordCompile } from './record-compile.ts'
import { rollBack } from './rollback.ts'
import { play, playAll, scenes, wishes } from './talk.arbitrary.ts'
import { countingIds, createTalk, type Talk } from './talk.fixture.ts'
import type { Target } from './target.ts'

const bytes = ({ conversation }: Compiled) => JSON.stringify(conversation)
/** Small, so that the window fills. */
const window = 16_000
const policies = fc.constantFrom(...Object.values(profiles))
const thinkings = fc.constantFrom<Target['thinking']>('free', 'dropped', 'bound')

/** Compiles after each scene, as an agent would; gives all that was sent. */
function replay(
  talk: Talk,
  all: Parameters<typeof playAll>[0],
  policy: Policy,
  thinking: Target['thinking'],
  each: (compiled: Compiled, history: History) => void,
): Manifest | null {
  let manifest: Manifest | null = null
  talk.user('go')
  for (const scene of all) {
    play(talk, scene)
    const history = talk.history()
    const compiled = compile(history, talk.target({ window, fixedTokens: 1000, thinking }), policy, manifest)
    manifest = compiled.manifest
    each(compiled, history)
  }
  return manifest
}

const partsOf = (messages: readonly Message[]): readonly Part[] => messages.flatMap(({ parts }) => parts)

describe('compiling', () => {
  it('[X6] from a manifest alone gives the same bytes as from the state in memory', () => {
    fc.assert(
      fc.property(scenes, policies, thinkings, (all, policy, thinking) => {
        const talk = createTalk()
        let before: Manifest | null = null
        replay(talk, all, policy, thinking, (compiled, history) => {
          const copy = before === null ? null : { ...before }
          const again = compile(history, talk.target({ window, fixedTokens: 1000, thinking }), policy, copy)
          expect(bytes(again)).toBe(bytes(compiled))
          expect(again.manifest).toEqual(compiled.manifest)
          before = compiled.manifest
        })
      }),
      { numRuns: propertyRuns(150) },
    )
  })

  it('[X6] gives the same bytes also when people, tools and policies make context changes in between', () => {
    fc.assert(
      fc.property(
        scenes,
        fc.array(wishes, { maxLength: 8 }),
        policies,
        thinkings,
        (all, wanted, policy, thinking) => {
          const talk = createTalk()
          let before: Manifest | null = null
          let count = 0
          replay(talk, all, policy, thinking, (compiled, history) => {
            const copy = before === null ? null : { ...before }
            const again = compile(history, talk.target({ window, fixedTokens: 1000, thinking }), policy, copy)
            expect(bytes(again)).toBe(bytes(compiled))
            before = compiled.manifest
            manipulate(talk, wanted[count] ?? [], `w${count}-`)
            if (count % 3 === 2) undoAll(talk, `r${count}-`)
            count += 1
          })
        },
      ),
      { numRuns: propertyRuns(150) },
    )
  })

  it('[X2] the events of the requests restore the manifests', () => {
    fc.assert(
      fc.property(scenes, policies, (all, policy) => {
        let folded: Manifest | null = null
        replay(createTalk(), all, policy, 'free', ({ manifest }, history) => {
          const [event] = recordCompile(history, manifest, null, 'applied')
          if (event?.type === 'context-compiled') folded = manifestAfter(folded, event)
          expect(folded).toEqual(manifest)
        })
      }),
      { numRuns: propertyRuns(60) },
    )
  })

  it('[X3] every line that is sent as a reference is also in the request, word for word', () => {
    fc.assert(
      fc.property(scenes, policies, (all, policy) => {
        replay(createTalk(), all, policy, 'free', ({ manifest }, history) => expectVisible(manifest, history))
      }),
      { numRuns: propertyRuns(150) },
    )
  })

  it('[X3] parts that were sent do not change while the cache is warm and the window is not full', () => {
    fc.assert(
      fc.property(scenes, policies, (all, policy) => {
        const calm = { ...policy, pressure: null }
        replay(
          createTalk(),
          all.filter(({ type }) => type !== 'wait'),
          calm,
          'free',
          ({ manifest }) => {
            if (!manifest.isCold && !hasPending(all)) expect(manifest.isPrefixKept).toBe(true)
          },
        )
      }),
      { numRuns: propertyRuns(100) },
    )
  })

  it('[X6] pairs are never split, and the request is valid for every provider', () => {
    const formats = ['anthropic-messages', 'openai-chat', 'openai-responses', 'gemini'] as const
    fc.assert(
      fc.property(scenes, policies, wishes, (all, policy, wanted) => {
        const talk = playAll(all)
        manipulate(talk, wanted)
        const { conversation } = compile(talk.history(), talk.target({ window }), policy, null)
        const parts = partsOf(conversation.messages)
        const calls = parts.flatMap(part => (part.kind === 'call' ? [part.call] : []))
        const results = parts.flatMap(part => (part.kind === 'result' ? [part.call] : []))
        expect(results.toSorted()).toEqual(calls.toSorted())
        for (const format of formats)
          expect(findInvalid(format, write(conversation, format).json)).toEqual([])
      }),
      { numRuns: propertyRuns(100) },
    )
  })
})

const hasPending = (all: Parameters<typeof playAll>[0]) =>
  all.some(each => each.type === 'call' && each.result === null)

function expectVisible(manifest: Manifest, history: History): void {
  const parts = new Map(partsOf(history.messages.map(({ message }) => message)).map(part => [part.id, part]))
  for (const [id, decision] of manifest.decisions) {
    if (decision.as !== 'reference') continue
    const own = linesOf(textsOf(parts.get(id) as Part))
    for (const { from, lines, source, sourceFrom } of decision.spans) {
      const theirs = linesOf(textsOf(parts.get(source) as Part))
      const there = manifest.decisions.get(source)
      expect(there === undefined || there.as === 'reference' || there.as === 'annotated').toBe(true)
      const hidden = there?.as === 'reference' ? there.spans : []
      const isThere = (_: unknown, line: number) => {
        const at = sourceFrom + line
        const isHidden = hidden.some(span => at >= span.from && at < span.from + span.lines)
        return !isHidden && sameLine(own, from + line, theirs, at)
      }
      expect(Array.from({ length: lines }).every(isThere)).toBe(true)
    }
  }
}

/** Makes the permitted changes; gives how many manipulations there were. */
function manipulate(
  talk: Talk,
  wanted: readonly { part: number; to: Parameters<typeof personsProposal>[1]['to']; who: string }[],
  prefix = 'w',
): number {
  const parts = talk
    .history()
    .messages.flatMap(({ message, interaction }) => message.parts.map(part => ({ part, interaction })))
  const newId = countingIds(prefix)
  let count = 0
  for (const { part: at, to, who } of wanted) {
    const chosen = parts[at % parts.length]
    if (chosen === undefined) continue
    const batch = createChangeBatch(talk.history(), talk.options({ newId }))
    const proposal = personsProposal(batch.index, {
      person: 'p',
      parts: [chosen.part.id],
      to,
      reason: 'why not',
    })
    makeChange(batch, {
      ...proposal,
      actor: actorOf(who),
      strategy: `test-${to}`,
      interactions: [chosen.interaction as InteractionId],
      rendering: { ...proposal.rendering, ...(who === 'tool' && { moment: 'boundary' }) },
    })
    talk.append(...batch.events)
    count += batch.events.filter(({ type }) => type === 'manipulation-applied').length
  }
  return count
}

/** Rolls back all that holds. */
function undoAll(talk: Talk, prefix: string): void {
  const wish = { scope: { afterSeq: 0 }, actor: { kind: 'person', name: 'p' }, reason: 'undo' } as const
  const event = rollBack(talk.history().ledger, wish, countingIds(prefix))
  if (event !== null) talk.append(event)
}

const actorOf = (who: string): Actor =>
  who === 'tool' ? { kind: 'tool', owner: 'fs', tool: 'Read' } : ({ kind: who, name: 'x' } as Actor)

describe('rolling back', () => {
  const person: Actor = { kind: 'person', name: 'p' }

  it('[X4] random manipulations, all rolled back, compile to the same bytes', () => {
    fc.assert(
      fc.property(scenes, wishes, policies, thinkings, fc.boolean(), (all, wanted, policy, thinking, own) => {
        const talk = playAll(all)
        const target = talk.target({ window, thinking })
        const before = compile(talk.history(), target, policy, null)
        // A person who rolls back a rule protects its parts from all rules: the next property.
        manipulate(talk, own ? wanted.map(wish => ({ ...wish, who: 'person' as const })) : wanted)
        const actor: Actor = own ? person : { kind: 'policy', name: 'p' }
        const wish = { scope: { afterSeq: 0 }, actor, reason: 'undo' } as const
        const event = rollBack(talk.history().ledger, wish, countingIds('r'))
        if (event !== null) talk.append(event)
        expect(bytes(compile(talk.history(), target, policy, null))).toBe(bytes(before))
      }),
      { numRuns: propertyRuns(200) },
    )
  })

  it('[X4] a part whose changes a person undid is sent in full, under every policy', () => {
    const takesAway = new Set<Mark | null>(['superseded', 'invalidated', 'archived', 'deleted', null])
    fc.assert(
      fc.property(scenes, wishes, policies, (all, wanted, policy) => {
        const talk = playAll(all)
        manipulate(talk, wanted)
        undoAll(talk, 'r')
        const { ledger } = talk.history()
        const taken = [...ledger.manipulations.values()].filter(
          ({ actor, to, strategy }) =>
            actor.kind !== 'person' && takesAway.has(to) && strategy !== 'thinking',
        )
        const { decisions } = compile(
          talk.history(),
          talk.target({ window, boundary: true }),
          policy,
          null,
        ).manifest
        expect(taken.flatMap(({ parts }) => parts ?? []).filter(part => decisions.has(part))).toEqual([])
      }),
      { numRuns: propertyRuns(200) },
    )
  })

  it('[X4] rolling back every change of the policy in a session gives the bytes of a session without policy', () => {
    fc.assert(
      fc.property(
        scenes,
        policies,
        fc.constantFrom<Target['thinking']>('free', 'dropped'),
        (all, policy, thinking) => {
          const talk = createTalk()
          let manifest: Manifest | null = null
          talk.user('go')
          for (const scene of all) {
            play(talk, scene)
            const target = talk.target({ window, fixedTokens: 1000, thinking })
            manifest = compile(talk.history(), target, policy, manifest).manifest
            talk.append(...recordCompile(talk.history(), manifest, null, 'applied'))
          }
          const event = rollBack(
            talk.history().ledger,
            { scope: { afterSeq: 0 }, actor: person, reason: 'undo' },
            countingIds('r'),
          )
          if (event !== null) talk.append(event)
          // Nothing new is swept: the window is as large as it needs to be, and the cache is warm.
          const target = talk.target({ window: 1e9, thinking })
          expect(bytes(compile(talk.history(), target, policy, manifest))).toBe(
            bytes(compile(talk.history(), target, profiles.off, null)),
          )
        },
      ),
      { numRuns: propertyRuns(150) },
    )
  })

  it('[X4] rolling back a rollback restores the state before it, and doing it twice changes nothing', () => {
    fc.assert(
      fc.property(scenes, wishes, (all, wanted) => {
        const talk = playAll(all)
        if (manipulate(talk, wanted) === 0) return
        const target = talk.target()
        const before = bytes(compile(talk.history(), target, profiles.safe, null))
        const newId = countingIds('r')
        const first = rollBack(
          talk.history().ledger,
          { scope: { afterSeq: 0 }, actor: person, reason: 'undo' },
          newId,
        )
        if (first === null) return
        talk.append(first)
        expect(
          rollBack(talk.history().ledger, { scope: { afterSeq: 0 }, actor: person, reason: 'again' }, newId),
        ).toBeNull()
        const back = rollBack(
          talk.history().ledger,
          { scope: { manipulation: 'r1' as ManipulationId }, actor: person, reason: 'redo' },
          newId,
        )
        if (back !== null) talk.append(back)
        expect(bytes(compile(talk.history(), target, profiles.safe, null))).toBe(before)
      }),
      { numRuns: propertyRuns(100) },
    )
  })
})
