import fc from 'fast-check'
import { expect } from 'vitest'
import type { Entry } from '../protocol/entry.ts'
import type { SessionId } from '../protocol/ids.ts'
import { feed, follow, type Feed } from './follow.ts'
import type { Bell, Journal } from './journal.ts'

/** A journal under test, and how to put it away. */
export type Opened = Journal & Partial<AsyncDisposable>

/**
 * The same journal as a store far away would be: nothing is ever in memory, and every read looks at once but answers
 * only after `delay`, when other entries may have been saved.
 */
export const neverHot = (journal: Opened, delay: () => Promise<void> = soon): Opened => ({
  ...journal,
  readHot: () => undefined,
  readHotTexts: () => undefined,
  async read(...given) {
    const found = await journal.read(...given)
    await delay()
    return found
  },
  async readTexts(...given) {
    const found = await journal.readTexts(...given)
    await delay()
    return found
  },
})

const soon = () => new Promise<void>(resolve => void setImmediate(resolve))

/** Nothing out of the ordinary. */
export const plain: Manner = { journal: journal => journal, ring: () => 1 }

/** How a journal and the bell that it rings may differ from the plain ones without anyone missing an entry. */
export const manners: Readonly<Record<string, Manner>> = {
  'as it is': plain,
  'with a tip that is never in memory': { journal: journal => neverHot(journal), ring: () => 1 },
  'with doubled rings': { journal: journal => neverHot(journal), ring: () => 2 },
  'with lost rings, but for the last': {
    journal: journal => journal,
    ring: rings => (rings % 3 === 0 ? 1 : 0),
  },
}

/** One of these ways. */
export interface Manner {
  readonly journal: (journal: Opened) => Opened
  /** How often the bell rings in place of its n-th ring. */
  readonly ring: (rings: number) => number
}

/** A bell that rings more or less often than it is asked to. */
export function unreliable(bell: Bell, { ring }: Manner): Bell {
  let rings = 0
  return {
    ...bell,
    ring(session) {
      rings += 1
      for (let left = ring(rings); left > 0; left--) bell.ring(session)
    },
  }
}

/** The ring for the last entry is never lost; here it comes when everything is saved. */
export async function ringAtTheEnd(journal: Journal, bell: Bell, session: SessionId, total: number) {
  await expect.poll(() => journal.head(session)).toBe(total)
  bell.ring(session)
}

/** How a follower reads, and when it leaves. */
export const followerPlan = fc.record({
  after: fc.nat({ max: 1 }),
  leaveAfter: fc.nat({ max: 120 }),
  page: fc.integer({ min: 1, max: 50 }),
  slow: fc.boolean(),
})
/** How a taker takes. */
export const takerPlan = fc.record({
  after: fc.nat({ max: 1 }),
  /** How many entries it reads each time, in a loop; 0 pauses it. */
  wants: fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 5 }),
  pauseMs: fc.nat({ max: 2 }),
})
/** Some appends, and how they are made. */
export const writePlan = fc.record({
  count: fc.integer({ min: 1, max: 30 }),
  rest: fc.boolean(),
  pause: fc.boolean(),
})
/** One append of a plan. */
export type Write = typeof writePlan extends fc.Arbitrary<infer Value> ? Value : never

/** The numbers that a follower sees. */
export async function followed(
  journal: Journal,
  bell: Bell,
  session: SessionId,
  { after, leaveAfter, page, slow }: { after: number; leaveAfter: number; page: number; slow: boolean },
  total: number,
): Promise<readonly number[]> {
  const seqs: number[] = []
  const wanted = Math.min(leaveAfter, total - after)
  if (wanted === 0) return seqs
  for await (const entries of follow({ journal, bell }, session, after, {
    signal: AbortSignal.timeout(20_000),
    page,
  })) {
    seqs.push(...entries.map(({ seq }) => seq))
    if (slow) await new Promise(setImmediate)
    if (seqs.length >= wanted) break
  }
  expect(seqs.length).toBeGreaterThanOrEqual(wanted)
  return seqs
}

interface TakerPlan {
  readonly after: number
  readonly wants: readonly number[]
  readonly pauseMs: number
}

/** The numbers that a taker gets, when it has all of them. */
export function fed(
  journal: Journal,
  bell: Bell,
  session: SessionId,
  { after, wants, pauseMs }: TakerPlan,
  total: number,
): Promise<readonly number[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly number[]>()
  const seqs: number[] = []
  let rounds = 0
  const page = (texts: readonly string[]) => ({ count: texts.length, texts })
  const feeding: Feed = feed<ReturnType<typeof page>>(bell, session, after, {
    read(seq, limit) {
      const hot = journal.readHotTexts(session, seq, limit)
      return hot === undefined ? journal.readTexts(session, seq, limit).then(page) : page(hot)
    },
    take({ texts }, from) {
      expect(from).toBe(seqs.at(-1) ?? after)
      seqs.push(...texts.map(text => (JSON.parse(text) as Entry).seq))
      const wanted = wants[rounds++ % wants.length] ?? 0
      if (wanted === 0) setTimeout(() => feeding.more(1), pauseMs)
      return wanted
    },
    caughtUp(seq) {
      expect(seq).toBe(seqs.at(-1) ?? after)
      if (seq < total) return
      feeding.stop()
      resolve(seqs)
    },
    failed: reject,
  })
  feeding.more(1)
  return promise
}
