import { describe, expect, it } from 'vitest'
import { createBell } from './bell.ts'
import { fed, neverHot, type Opened } from './followers.fixture.ts'
import { created, named, readAll, said } from './journal.contract.ts'
import type { Bell } from './journal.ts'

/** The contract of several handles on one store, for stores that allow more than one. */
export function describeTwoHandles(name: string, open: (bell: Bell) => readonly [Opened, Opened]) {
  const session = named('s')

  describe(`two handles on one ${name} store`, () => {
    it('[J2] number entries without a hole and save a key once across both handles', async () => {
      const [one, two] = open(createBell())
      await one.create(session, [created])
      await expect(two.create(session, [created])).rejects.toMatchObject({ code: 'session-exists' })
      await Promise.all(
        Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? one : two).append(session, [said(`${i}`)])),
      )
      const once = await Promise.all(
        [one, two].map(each => each.appendOnce(session, { key: 'k' }, [said('k')])),
      )
      expect(once.map(({ repeated }) => repeated)).toEqual([false, true])
      const seqs = Array.from({ length: 42 }, (_, i) => i + 1)
      for (const each of [one, two]) {
        expect((await readAll(each, session)).map(({ seq }) => seq)).toEqual(seqs)
        expect(await each.head(session)).toBe(42)
        expect(await each.findByKey(session, 'k')).toMatchObject({ seq: 42 })
      }
    })

    it('[J1] followers of one handle see entries saved through the other', async () => {
      const bell = createBell()
      const [one, two] = open(bell)
      await one.create(session, [created])
      const taken = fed(neverHot(two), bell, session, { after: 0, wants: [3], pauseMs: 0 }, 11)
      for (let i = 0; i < 10; i++) await one.append(session, [said(`${i}`)])
      expect(await taken).toEqual(Array.from({ length: 11 }, (_, i) => i + 1))
    })
  })
}
