import fc from 'fast-check'
import { expect, it } from 'vitest'
import { catchUp, rebuildRows } from '../catalogue/catch-up.ts'
import { follow } from '../journal/follow.ts'
import type { SnapshotSeed } from '../projections/snapshot-seed.ts'
import { expectSameView } from '../projections/snapshot.fixture.ts'
import { chunksOf } from '../protocol/event.ts'
import type { SessionId } from '../protocol/ids.ts'
import { propertyRuns } from '../protocol/property-runs.fixture.ts'
import { collect, openHouse, type House } from './house.fixture.ts'
import type { PuppetLine } from './puppet-lines.fixture.ts'
import { createPuppet, type Act } from './puppet.fixture.ts'
import { compareTranslations } from './view/compare-translations.ts'
import { replay } from './view/replay.ts'
import type { Snapshot } from './view/read-session.ts'
import { wait } from './wait.ts'

const line: fc.Arbitrary<PuppetLine | string> = fc.oneof(
  { weight: 5, arbitrary: fc.string().map(text => ({ t: 'say', text }) as const) },
  fc.constantFrom({ t: 'quiet' } as const, { t: 'boom' } as const, 'not JSON at all'),
  fc.constant('ask' as const),
)

/** One prompt: what the agent answers, where it pauses, and how it ends. */
const script = fc.record({
  lines: fc.array(line, { maxLength: 6 }),
  pause: fc.boolean(),
  end: fc.constantFrom('finish', 'fail', 'exit'),
})
type Script = typeof script extends fc.Arbitrary<infer One> ? One : never

const scripted =
  (scripts: readonly Script[]): Act =>
  async ({ text, say, exit }) => {
    const { lines, pause, end } = scripts[Number(text)] ?? { lines: [], pause: false, end: 'finish' }
    say({ t: 'begin', agentSession: 'theirs' })
    for (const [index, each] of lines.entries()) {
      if (pause) await wait(0)
      say(each === 'ask' ? { t: 'ask', id: `${text}-${index}` } : each)
    }
    if (end === 'exit') exit({ code: 7 })
    else say(end === 'fail' ? { t: 'end', reason: 'error', error: 'no' } : { t: 'end' })
  }

async function play(scripts: readonly Script[], during: (house: House, session: SessionId) => Promise<void>) {
  const puppet = createPuppet({ act: scripted(scripts) })
  const house = await openHouse([puppet], { limits: { batchItems: 4 } })
  await using sessions = house.sessions
  const session = await house.create()
  await Promise.all([
    during(house, session),
    ...scripts.map((_, index) => house.prompt(session, `${index}`, `p${index}`)),
  ])
  await sessions.whenIdle(session)
  return { house, session, puppet, ran: puppet.prompts }
}

it('[J2] followers that join and leave at any time see every entry once, in order', async () => {
  const visits = fc.array(fc.record({ after: fc.nat(20), come: fc.nat(6), stay: fc.nat(12) }), {
    maxLength: 4,
  })
  await fc.assert(
    fc.asyncProperty(fc.array(script, { minLength: 1, maxLength: 3 }), visits, async (scripts, guests) => {
      const seen: { after: number; seqs: number[] }[] = []
      const visit = async (
        house: House,
        session: SessionId,
        { after, come, stay }: (typeof guests)[number],
      ) => {
        await wait(come)
        const from = Math.min(after, await house.journal.head(session))
        const seqs: number[] = []
        seen.push({ after: from, seqs })
        for await (const entries of follow(house, session, from, { signal: AbortSignal.timeout(stay) }))
          seqs.push(...entries.map(({ seq }) => seq))
      }
      const { house, session } = await play(scripts, async (home, id) => {
        await Promise.all(guests.map(guest => visit(home, id, guest)))
      })
      const head = await house.journal.head(session)
      for (const { after, seqs } of seen) {
        expect(seqs).toEqual(seqs.map((_, index) => after + index + 1))
        expect(after + seqs.length).toBeLessThanOrEqual(head)
      }
    }),
    { numRuns: propertyRuns(60) },
  )
})

it('[J1] prompts that are repeated in any interleaving run once, in the order in which they were first saved', async () => {
  const repeats = fc.array(fc.tuple(fc.nat(4), fc.nat(3)), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(fc.array(script, { minLength: 1, maxLength: 5 }), repeats, async (scripts, again) => {
      const { house, session, ran } = await play(scripts, async (home, id) => {
        await Promise.all(
          again.map(async ([index, later]) => {
            await wait(later)
            if (index < scripts.length) await home.prompt(id, `${index}`, `p${index}`)
          }),
        )
      })
      const firsts = (await house.entries(session)).flatMap(({ event }) =>
        event.type === 'prompt-queued' || event.type === 'interaction-started' ? [event.prompt] : [],
      )
      expect(ran).toEqual([...new Set(firsts)])
      expect(new Set(ran).size).toBe(scripts.length)
      const started = await house.events(session, 'interaction-started')
      const ended = await house.events(session, 'interaction-ended')
      expect(ended.map(({ interaction }) => interaction)).toEqual(
        started.map(({ interaction }) => interaction),
      )
    }),
    { numRuns: propertyRuns(60) },
  )
})

it('[T4] a snapshot taken at any time, and the entries after it, show the same as all entries', async () => {
  const moments = fc.array(fc.tuple(fc.nat(15), fc.integer({ min: 1, max: 6 })), { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(fc.array(script, { minLength: 1, maxLength: 4 }), moments, async (scripts, looks) => {
      const taken: Snapshot[] = []
      const { house, session } = await play(scripts, async ({ sessions }, id) => {
        await Promise.all(
          looks.map(async ([later, limit]) => {
            await wait(later)
            taken.push(await sessions.snapshot(id, { limit }))
          }),
        )
      })
      const entries = await house.entries(session)
      for (const snapshot of taken)
        expectSameView(JSON.parse(JSON.stringify(snapshot)) as SnapshotSeed, entries)
    }),
    { numRuns: propertyRuns(60) },
  )
})

it('[J7] replay gives the original chunks, rebuild no difference, and the catalogue the same rows', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(script, { minLength: 1, maxLength: 4 }), async scripts => {
      const { house, session, puppet } = await play(scripts, async () => {})
      const parts = { journal: house.journal, agents: new Map([[puppet.name, puppet]]) }
      const { signal } = new AbortController()
      const shown = await collect(replay(parts, session, { speed: Infinity, signal }))
      const entries = await house.entries(session)
      expect(shown.map(({ chunks }) => chunks)).toEqual(entries.map(({ event }) => chunksOf(event)))
      expect(await collect(compareTranslations(parts, session))).toEqual([])

      const { catalogue } = house.options
      const asked = scripts.flatMap(({ lines }, prompt) => lines.map((_, index) => `${prompt}-${index}`))
      const rows = async () => [
        await catalogue.get(session),
        await catalogue.messages(session, { thread: null, limit: 100 }),
        await Promise.all(asked.map(id => catalogue.findApproval(session, id))),
      ]
      const state = await catchUp(house.options, session)
      const before = await rows()
      expect(await rebuildRows(house.options, session)).toEqual(state)
      expect((await rows()).slice(1)).toEqual(before.slice(1))
    }),
    { numRuns: propertyRuns(60) },
  )
})
