import { isDragomanError } from '../../protocol/error.ts'
import { lockedBy, ownerOf, type Owner } from '../../journal/sqlite/folder-lock.ts'
import { wait } from '../../sessions/wait.ts'
import type { Configuration } from '../configuration/keys.ts'
import type { Shell } from '../shell.ts'
import { inertLine } from '../terminal/inert.ts'
import type { SessionsApi } from './sessions-api.ts'
import { findServer, type ServerPlace } from './find-server.ts'
import { hasFolder } from './require-folder.ts'

const betweenMs = 100
/** A server that starts or stops releases the folder or answers within this time. */
const patienceWithServerMs = 15_000
/** Other commands finish within this time, or run for long. */
const patienceMs = 2000
/** A server that just ended may be restarting. It must not find the folder taken. */
const graceMs = 1500

/** Opens the sessions of a data folder: through the server that owns it, or else in this process. */
export async function openSessionsApi(
  command: string,
  configuration: Configuration,
  shell: Shell,
): Promise<SessionsApi> {
  const { data: folder } = configuration
  hasFolder(folder)
  let servedAt = Number.NEGATIVE_INFINITY
  const waitFor = createPatience(folder)
  for (;;) {
    const place = findServer(folder)
    const api = place === null ? null : await openAtServer(folder, place, shell)
    if (api !== null) return api
    const owner = ownerOf(folder)
    if (owner?.command === 'serve') servedAt = Date.now()
    if (owner === null && Date.now() - servedAt > graceMs) {
      const own = await openAlone(command, configuration)
      if (own !== null) return own
    }
    await waitFor(owner)
  }
}

/** Waits a moment for the owner of a folder, and gives up if it keeps the folder. The time starts again with each new owner. */
function createPatience(folder: string): (owner: Owner | null) => Promise<void> {
  let known: Owner | null = null
  let since = 0
  return async owner => {
    if (owner === null || owner.since !== known?.since) since = Date.now()
    known = owner
    const patience = owner?.command === 'serve' ? patienceWithServerMs : patienceMs
    if (owner !== null && Date.now() - since > patience) throw lockedBy(folder, owner)
    await wait(betweenMs)
  }
}

/** Goes through a server; null if the server is not ready. Loads the code for this only now. */
async function openAtServer(folder: string, place: ServerPlace, { err }: Shell): Promise<SessionsApi | null> {
  const { isReady } = await import('./is-ready.ts')
  if (!(await isReady(place))) return null
  const { createServerApi } = await import('./server-api.ts')
  const { createServerLine } = await import('./server-line.ts')
  const report = (sentence: string) => err.write(`${inertLine(sentence)}\n`)
  return createServerApi(folder, createServerLine({ folder, place, report }))
}

/** Opens the folder in this process; null if another process took it first. */
async function openAlone(command: string, configuration: Configuration): Promise<SessionsApi | null> {
  const { openLocalStore } = await import('../open-local-store.ts')
  const { createLocalApi } = await import('./local-api.ts')
  try {
    return createLocalApi(await openLocalStore(command, configuration))
  } catch (error) {
    if (isDragomanError(error, 'folder-locked')) return null
    throw error
  }
}
