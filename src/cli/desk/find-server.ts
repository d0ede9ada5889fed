import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownerOf } from '../../journal/sqlite/folder-lock.ts'
import { DragomanError } from '../../protocol/error.ts'

/** Where a server listens, and what it wants to be shown. */
export interface ServerPlace {
  readonly url: string
  readonly token: string
}

/** The file that keeps the token of a data folder's server. */
export const tokenFile = (folder: string): string => join(folder, 'token')

/**
 * The server that has a data folder now; null when there is none. Only the holder of the lock is believed: at an address
 * that a dead server left behind, somebody else may be waiting for its token.
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
