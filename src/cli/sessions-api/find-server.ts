import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownerOf } from '../../journal/sqlite/folder-lock.ts'
import { DragomanError } from '../../protocol/error.ts'

/** The address of a server, and its token. */
export interface ServerPlace {
  readonly url: string
  readonly token: string
}

/** The file with the token of a data folder's server. */
export const tokenFile = (folder: string): string => join(folder, 'token')

/**
 * The server of a data folder; null if there is none. Only the holder of the lock is trusted: another program may listen at
 * the address of a dead server, to get its token.
 */
export function findServer(folder: string): ServerPlace | null {
  const owner = ownerOf(folder)
  if (owner?.url === undefined) return null
  return { url: owner.url, token: readToken(tokenFile(folder), owner.url) }
}

function readToken(path: string, url: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw new DragomanError(
      'not-authenticated',
      `The server at ${url} uses this data folder, but its token in ${path} cannot be read: ${(error as Error).message}.`,
    )
  }
}
