import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { describeFailure } from '../../journal/sqlite/sqlite-failure.ts'
import { checkToken, newToken } from '../../server/auth/token.ts'
import { refusal } from '../configuration/check.ts'
import { tokenFile } from '../sessions-api/find-server.ts'

/**
 * The token of a data folder's server: the given one, else the one in its file, else a new one. The file is readable only by
 * this user; commands and programs read the token from it.
 */
export function keepToken(folder: string, given: string | null): string {
  const path = tokenFile(folder)
  try {
    const kept = readKept(path)
    const token = given ?? kept ?? newToken()
    checkToken(token)
    if (token !== kept) write(path, token)
    chmodSync(path, 0o600)
    return token
  } catch (error) {
    throw describeFailure(error, folder)
  }
}

function readKept(path: string): string | null {
  try {
    const kept = readFileSync(path, 'utf8').trim()
    checkKept(path, kept)
    return kept
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

function checkKept(path: string, kept: string): void {
  try {
    checkToken(kept)
  } catch {
    throw refusal(`${path} does not contain a valid token. Delete the file to get a new one.`)
  }
}

function write(path: string, token: string): void {
  writeFileSync(`${path}.new`, `${token}\n`, { mode: 0o600 })
  renameSync(`${path}.new`, path)
}
