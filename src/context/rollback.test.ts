import { describe, expect, it } from 'vitest'
import type { Event } from '../protocol/event.ts'
import type { InteractionId, ManipulationId } from '../protocol/ids.ts'
import type { Actor } from '../protocol/manipulation.ts'
import { compile } from './compile.ts'
import { markOf } from './ledger.ts'
import { makeChange, createChangeBatch } from './change-batch.ts'
import { personsProposal } from './person.ts'
import { profiles } from './profiles.ts'
import { recordCompile } from './record-compile.ts'
import { rollBack, type RollbackScope } from './rollback.ts'
import { strategiesAfter } from './run-strategies.ts'
import { countingIds, createTalk, manyLines, numbered, textOf, type Talk } from './talk.fixture.ts'

const me: Actor = { kind: 'person', name: 'me' }
const newId = countingIds('r')
const undo = (talk: Talk, scope: RollbackScope, actor: Actor = me) => {
  const event = rollBack(talk.history().ledger, { scope, actor, reason: 'no' }, newId)
  if (event !== null) talk.append(event)
  return event
}

const scene = () => {
  const talk = createTalk()
  talk.user('go')
  const act = (tool: string, command: string) => {
    const id = talk.call(tool, tool === 'Bash' ? { command } : { pattern: command }, manyLines(command, 60))
    talk.append(...strategiesAfter(talk.history(), id, talk.options()))
    return id
  }
  const [run, search] = [act('Bash', 'a'), act('Grep', 'b')]
  act('Bash', 'a')
  talk.user('more', 'i2')
  act('Grep', 'b')
  const mark = (id: string) => markOf(talk.history().ledger.standingOf({ id, interaction: 'i1' }))
  return { talk, run, search, marks: () => [mark(run), mark(search)] }
}

describe('rollback', () => {
  it('[X4] by id, by tool, by interaction, back to an entry', () => {
    const scopes: readonly (readonly [RollbackScope, readonly string[]])[] = [
      [{ manipulation: 'm1' as ManipulationId }, ['active', 'superseded']],
      [{ tool: 'Grep' }, ['superseded', 'active']],
      [{ interaction: 'i1' }, ['active', 'active']],
      [{ interaction: 'i2' }, ['superseded', 'superseded']],
      [{ afterSeq: 1 }, ['superseded', 'active']],
      [{ afterSeq: 0 }, ['active', 'active']],
    ]
    for (const [scope, expected] of scopes) {
      const { talk, marks } = scene()
      expect(marks()).toEqual(['superseded', 'superseded'])
      undo(talk, scope)
      expect(marks()).toEqual(expected)
    }
  })

  it('[X4] of a change that was rolled back already changes nothing and reports so; of a rollback restores the change', () => {
    const { talk, marks } = scene()
    const event = undo(talk, { afterSeq: 0 })
    expect(undo(talk, { afterSeq: 0 })).toBeNull()
    expect(undo(talk, { manipulation: 'm1' as ManipulationId })).toBeNull()
    expect(undo(talk, { manipulation: 'nothing' as ManipulationId })).toBeNull()
    const rollback = event?.type === 'manipulation-rolled-back' ? event.rollback : ('' as ManipulationId)
    const redo = undo(talk, { manipulation: rollback })
    expect(marks()).toEqual(['superseded', 'superseded'])
    undo(talk, { manipulation: redo?.type === 'manipulation-rolled-back' ? redo.rollback : rollback })
    expect(marks()).toEqual(['active', 'active'])
    expect(talk.history().ledger.rollbacks.size).toBe(3)
  })

  it('[X4] protects the part from every rule, until the person changes it or undoes the rollback', () => {
    const { talk, run } = scene()
    const cold = { ...profiles.balanced, cold: { keepSteps: 0, keepFiles: 0 } }
    const target = {
      step: 99,
      at: 0,
      window: 200_000,
      fixedTokens: 0,
      thinking: 'free',
      boundary: true,
    } as const
    const isCleared = () =>
      compile(talk.history(), target, cold, null).manifest.decisions.has(`${run}.result`)
    expect(isCleared()).toBe(true)
    const event = undo(talk, { manipulation: 'm1' as ManipulationId })
    expect(isCleared()).toBe(false)
    const rollback = event?.type === 'manipulation-rolled-back' ? event.rollback : ('' as ManipulationId)
    const standing = () => talk.history().ledger.standingOf({ id: run, interaction: 'i1' })
    expect(standing().isProtected).toBe(true)
    const redo = undo(talk, { manipulation: rollback })
    expect(standing().isProtected).toBe(false)
    undo(talk, { manipulation: redo?.type === 'manipulation-rolled-back' ? redo.rollback : rollback })
    expect(standing().isProtected).toBe(true)
    const batch = createChangeBatch(talk.history(), talk.options())
    makeChange(
      batch,
      personsProposal(batch.index, { person: 'me', parts: [run], to: 'unpinned', reason: 'go on' }),
    )
    talk.append(...batch.events)
    expect(batch.events).toMatchObject([{ type: 'manipulation-applied' }])
    expect(isCleared()).toBe(true)
  })

  it('[X4] of a pin protects nothing, and a rollback by a policy does not either', () => {
    const { talk, run } = scene()
    const standing = () => talk.history().ledger.standingOf({ id: run, interaction: 'i1' })
    undo(talk, { manipulation: 'm1' as ManipulationId }, { kind: 'policy', name: 'p' })
    expect(standing().isProtected).toBe(false)
    const batch = createChangeBatch(talk.history(), talk.options())
    makeChange(
      batch,
      personsProposal(batch.index, { person: 'me', parts: [run], to: 'pinned', reason: 'mine' }),
    )
    talk.append(...batch.events)
    const [pin] = batch.events
    undo(talk, {
      manipulation: pin?.type === 'manipulation-applied' ? pin.manipulation : ('' as ManipulationId),
    })
    expect(standing().isProtected).toBe(false)
  })

  it('[X4] includes all manipulations that followed from it, at any depth', () => {
    const talk = createTalk()
    talk.user('go')
    const ids = ['a', 'b', 'c'].map(name => talk.call(name, {}, manyLines(name, 60)))
    const applied = (at: number, causedBy: string | null): Event => ({
      type: 'manipulation-applied',
      manipulation: `c${at}` as ManipulationId,
      actor: { kind: 'policy', name: 'x' },
      strategy: 'x',
      interactions: ['i1' as InteractionId],
      parts: [ids[at] ?? ''],
      to: 'archived',
      rendering: { how: 'clear', moment: 'boundary' },
      reason: 'x',
      trigger: null,
      replacedBy: null,
      causedBy: causedBy as ManipulationId | null,
      before: [],
      tokens: 0,
      effective: 'applied',
    })
    talk.append(applied(0, null), applied(1, 'c0'), applied(2, 'c1'))
    expect(undo(talk, { manipulation: 'c0' as ManipulationId })).toMatchObject({
      manipulations: ['c2', 'c1', 'c0'],
    })
  })

  it('[X4] neither a model nor a tool can roll back, and the attempt is in the audit', () => {
    const { talk, marks } = scene()
    const tool: Actor = { kind: 'tool', owner: 'fs', tool: 'Read' }
    expect(undo(talk, { afterSeq: 0 }, { kind: 'model', name: 'm' })).toMatchObject({
      code: 'model-may-only-propose',
    })
    expect(undo(talk, { afterSeq: 0 }, tool)).toMatchObject({ code: 'not-allowed' })
    expect(marks()).toEqual(['superseded', 'superseded'])
    expect(talk.history().ledger.rejected).toHaveLength(2)
  })

  it('[X4] a file that was read twice: the reference, its reason, and the same bytes after a rollback', () => {
    const talk = createTalk()
    const file = numbered(manyLines('a', 60))
    talk.user('read it twice')
    talk.call('Read', { file_path: '/w/a.ts' }, file)
    const second = talk.call('Read', { file_path: '/w/a.ts' }, file)
    const first = compile(talk.history(), talk.target(), profiles.safe, null)
    talk.append(...recordCompile(talk.history(), first.manifest, null, 'applied'))
    expect(textOf(first.conversation.messages, `${second}.result`)).toContain('same as lines 1-60')
    const [why] = talk.history().ledger.manipulations.values()
    expect(why).toMatchObject({
      strategy: 'duplicate',
      reason: 'the same lines are sent elsewhere',
    })
    undo(talk, { manipulation: why?.id ?? ('' as ManipulationId) })
    const after = compile(talk.history(), talk.target(), profiles.safe, first.manifest)
    expect(textOf(after.conversation.messages, `${second}.result`)).toBe(file)
    // It is not done again, neither in the same state nor in a new one.
    const anew = compile(talk.history(), talk.target(), profiles.safe, null)
    expect(textOf(anew.conversation.messages, `${second}.result`)).toBe(file)
  })

  it('[X4] of a deletion restores the state before it, superseded by a tool', () => {
    const { talk, run } = scene()
    const sent = (before: Parameters<typeof compile>[3]) =>
      compile(talk.history(), talk.target(), profiles.safe, before)
    const first = sent(null)
    const batch = createChangeBatch(talk.history(), talk.options({ newId: countingIds('d') }))
    makeChange(
      batch,
      personsProposal(batch.index, { person: 'me', parts: [run], to: 'deleted', reason: 'x' }),
    )
    talk.append(...batch.events)
    const without = sent(first.manifest)
    expect(without.manifest.decisions.get(run)).toMatchObject({ as: 'omitted', rule: 'deleted' })
    undo(talk, { manipulation: 'd1' as ManipulationId })
    const { messages } = sent(without.manifest).conversation
    expect(messages.flatMap(({ parts }) => parts.map(({ id }) => id))).toContain(run)
    expect(textOf(messages, `${run}.result`)).toBe(manyLines('a', 60))
  })

  it('[X4] a rolled-back change is not made again by that rule, also when all rules run again, as in a branch', () => {
    const { talk, marks } = scene()
    undo(talk, { afterSeq: 0 })
    const askAgain = () => {
      for (const { call } of talk.history().messages.flatMap(({ pairs }) => pairs))
        talk.append(...strategiesAfter(talk.history(), call, talk.options({ newId: countingIds('again') })))
    }
    askAgain()
    expect(marks()).toEqual(['active', 'active'])
    // Another rule, and a person, may still do it.
    const redo = [...talk.history().ledger.rollbacks.keys()][0] ?? ('' as ManipulationId)
    undo(talk, { manipulation: redo })
    askAgain()
    expect(marks()).toEqual(['superseded', 'superseded'])
  })

  it('[X4] thinking that was left out comes back with the parts before it, and only with them', () => {
    const talk = createTalk()
    talk.user('go')
    for (let at = 0; at < 20; at += 1) {
      talk.thinks(`about ${at}`)
      talk.call('Bash', { command: `cat ${at}` }, manyLines(`f${at}x`, 100))
    }
    const bound = () => talk.target({ thinking: 'bound' })
    const whole = compile(talk.history(), bound(), profiles.off, null)
    talk.wait(60)
    talk.user('next', 'i2')
    const swept = compile(talk.history(), bound(), profiles.safe, whole.manifest)
    talk.append(...recordCompile(talk.history(), swept.manifest, null, 'applied'))
    const strategies = (event: ReturnType<typeof undo>) =>
      event?.type === 'manipulation-rolled-back'
        ? event.manipulations.map(id => talk.history().ledger.manipulations.get(id)?.strategy)
        : []
    const all = [...talk.history().ledger.manipulations.values()]
    expect(all.map(({ strategy }) => strategy)).toEqual(['cold', 'thinking'])
    expect(undo(talk, { manipulation: all[1]?.id ?? ('' as ManipulationId) })).toBeNull()
    expect(strategies(undo(talk, { afterSeq: 0 }))).toEqual(['cold'])
    const back = compile(talk.history(), bound(), profiles.safe, swept.manifest)
    expect(back.conversation.messages.slice(0, -1)).toEqual(whole.conversation.messages)
    expect(back.manifest.decisions.size).toBe(0)
  })
})
