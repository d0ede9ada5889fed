import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeFailure } from '../../journal/sqlite/sqlite-failure.ts'
import type { SignInSeed } from '../../server/auth/sign-ins.ts'

/** Stores in the data folder that browsers were signed out, so that a restart does not sign them in again. */
export function signInSeed(folder: string): SignInSeed {
  const path = join(folder, 'sign-in')
  return {
    read() {
      try {
        return readFileSync(path, 'utf8').trim()
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
        throw describeFailure(error, folder)
      }
    },
    write(seed) {
      try {
        writeFileSync(`${path}.new`, `${seed}\n`, { mode: 0o600 })
        renameSync(`${path}.new`, path)
      } catch (error) {
        throw describeFailure(error, folder)
      }
    },
  }
}
