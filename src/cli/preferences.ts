import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeFailure } from '../journal/sqlite/sqlite-failure.ts'
import { createPreferences, type Preferences, type PreferenceStore } from '../server/preferences.ts'

/** A small text that is saved in a file of the data folder, readable only by its owner. */
export function textFile(folder: string, name: string): PreferenceStore {
  const path = join(folder, name)
  return {
    read() {
      try {
        return readFileSync(path, 'utf8').trim()
      } catch (error) {
        // A data folder that cannot be used is reported by what opens it.
        if (/^(ENOENT|ENOTDIR)$/.test(String((error as NodeJS.ErrnoException).code))) return ''
        throw describeFailure(error, folder)
      }
    },
    write(text) {
      try {
        writeFileSync(`${path}.new`, `${text.trim()}\n`, { mode: 0o600 })
        renameSync(`${path}.new`, path)
      } catch (error) {
        throw describeFailure(error, folder)
      }
    },
  }
}

/** Where the choices of the app are stored. */
export const preferencesIn = (folder: string): PreferenceStore => textFile(folder, 'preferences.json')

/** The choices of the app in a data folder. The server reports damaged ones. */
export const readPreferences = (folder: string): Preferences =>
  createPreferences(preferencesIn(folder), () => undefined).current()
