import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { EntryId } from '../../protocol/ids.ts'
import { createBell } from '../bell.ts'
import { named, readAll, said } from '../journal.contract.ts'
import { openSqliteJournal } from './open-sqlite-journal.ts'
import { verify } from './verify.ts'

/** Data folders as earlier versions left them, in the middle of their work: never made again, only added to. */
const recordings = join(import.meta.dirname, 'recordings')
let folder = ''
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('journals written by earlier versions', () => {
  for (const version of readdirSync(recordings))
    it(`[J9] ${version} opens, returns the same entries, and can be appended to`, async () => {
      folder = mkdtempSync(join(tmpdir(), 'dragoman-old-'))
      cpSync(join(recordings, version), folder, { recursive: true })
      const expected = readFileSync(join(folder, 'entries.jsonl'), 'utf8').trimEnd().split('\n')
      expect((await verify(folder)).damage).toEqual([])
      {
        await using journal = await openSqliteJournal({ folder, bell: createBell() })
        const entries = [
          ...(await readAll(journal, named('packed'))),
          ...(await readAll(journal, named('hot'))),
        ]
        expect(entries).toEqual(expected.map(line => JSON.parse(line) as unknown))
        const given = '01890000-0000-7000-8000-00000000000a' as EntryId
        expect(await journal.find(given)).toMatchObject({ session: 'packed', seq: 302 })
        expect(await journal.appendOnce(named('hot'), { key: 'prompt:1' }, [said('again')])).toMatchObject({
          repeated: true,
        })
        expect((await journal.append(named('hot'), [said('on')]))[0]?.seq).toBe(5)
      }
      expect((await verify(folder)).damage).toEqual([])
    })
})
