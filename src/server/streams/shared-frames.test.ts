import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createBell } from '../../journal/bell.ts'
import type { Journal } from '../../journal/journal.ts'
import { createMemoryJournal } from '../../journal/memory.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { createColdPages } from './cold-pages.ts'
import { word } from './served.fixture.ts'
import { createSharedFrames, eventFrames, frameOf, nextPage, socketFrame } from './shared-frames.ts'

const session = 's' as SessionId
const created = { type: 'session-created', agent: 'a', cwd: '/', title: null, options: null } as const

/** A journal of which memory holds only what comes after a number. */
async function openJournal(entries: number, hotAfter: number) {
  const memory = createMemoryJournal(createBell(), () => 0)
  await memory.create(session, [created])
  await memory.append(
    session,
    Array.from({ length: entries - 1 }, (_, index) => word(`${index}`)),
  )
  const reads: string[] = []
  const journal: Journal = {
    ...memory,
    readHotTexts(id, after, limit) {
      if (after < hotAfter) return undefined
      reads.push(`hot ${after}`)
      return memory.readHotTexts(id, after, limit)
    },
    readTexts(id, after, limit) {
      reads.push(`cold ${after}`)
      return memory.readTexts(id, after, Math.min(limit, Math.max(1, 100 - (after % 100))))
    },
  }
  const texts = await memory.readTexts(session, 0, entries)
  return { journal, reads, texts }
}

describe('createSharedFrames', () => {
  it('[R4] never gives a client more entries than it asked for, even if a longer frame exists', async () => {
    const { journal } = await openJournal(50, 0)
    const read = createSharedFrames(journal, createColdPages(journal), eventFrames)
    for (const limit of [16, 3, 1, 16, 2])
      expect((await read(session, 4, limit)).count).toBeLessThanOrEqual(limit)
  })

  it('[T1] gives the same entries for any limit, from memory and from disk', async () => {
    const { journal, texts } = await openJournal(350, 250)
    const pages = createColdPages(journal)
    const readEvents = createSharedFrames(journal, pages, eventFrames)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ after: fc.nat(349), limit: fc.integer({ min: 1, max: 256 }) }), {
          maxLength: 20,
        }),
        async asked => {
          for (const { after, limit } of asked) {
            const frame = await readEvents(session, after, limit)
            expect(frame.count).toBeGreaterThan(0)
            expect(frame.count).toBeLessThanOrEqual(limit)
            expect(frame.text).toBe(eventFrames(texts.slice(after, after + frame.count), after, session))
          }
        },
      ),
    )
  })

  it('[T1] makes the frame of a batch once for all followers of a session', async () => {
    const { journal, reads } = await openJournal(20, 0)
    const read = createSharedFrames(journal, createColdPages(journal), socketFrame)
    const frames = Array.from({ length: 100 }, () => read(session, 10, 256))
    expect(new Set(frames).size).toBe(1)
    expect(reads).toEqual(['hot 10'])
  })

  it('[R4] reads a page from disk once for clients that reconnect together', async () => {
    const { journal, reads } = await openJournal(100, 1000)
    const read = createSharedFrames(journal, createColdPages(journal), eventFrames)
    await Promise.all(Array.from({ length: 50 }, async () => read(session, 0, 16)))
    for (let after = 16; after < 96; after += 16) await read(session, after, 16)
    expect(reads).toEqual(['cold 0'])
  })

  it('[R4] asks for few entries if they are long, and for many if they are short', () => {
    const frame = (count: number, length: number) => ({
      count,
      text: 'x'.repeat(length),
      deletes: false,
      bytes: null,
    })
    expect(nextPage(frame(16, 16 * 300))).toBe(218)
    expect(nextPage(frame(16, 16 * 30))).toBe(256)
    expect(nextPage(frame(16, 16 * 30_000))).toBe(2)
    expect(nextPage(frame(1, 5_000_000))).toBe(1)
  })

  it('[R4] limits the length of a frame, for entries of any length', () => {
    const texts = Array.from({ length: 256 }, (_, at) => JSON.stringify({ at, text: 'x'.repeat(50_000) }))
    expect(frameOf(texts, 0, session, eventFrames)).toMatchObject({ count: 3 })
    const longest = JSON.stringify('x'.repeat(10_000_000))
    expect(frameOf([longest, ...texts], 0, session, eventFrames)).toMatchObject({ count: 1 })
  })
})
