import { isDragomanError } from '../../protocol/error.ts'
import { lockedBy, ownerOf, type Owner } from '../../journal/sqlite/folder-lock.ts'
import { wait } from '../../sessions/wait.ts'
import type { Configuration } from '../configuration/keys.ts'
import type { Shell } from '../shell.ts'
import { inertLine } from '../terminal/inert.ts'
import type { Desk } from './desk.ts'
import { findServer, type ServerPlace } from './find-server.ts'
import { hasFolder } from './require-folder.ts'

const betweenMs = 100
/** A server that starts, or ends, is soon done with it. */
const patienceWithServerMs = 15_000
/** Other commands are quick, or they take their time. */
const patienceMs = 2000
/** A server that just ended may be one that is being started again, and would find the folder taken. */
const graceMs = 1500

/** Opens the desk of a data folder: through the server that uses it, or else in this process. */
export async function openDesk(command: string, configuration: Configuration, shell: Shell): Promise<Desk> {
  const { data: folder } = configuration
  hasFolder(folder)
  let servedAt = Number.NEGATIVE_INFINITY
  const waitFor = createPatience(folder)
  for (;;) {
    const place = findServer(folder)
    const desk = place === null ? null : await openAtServer(folder, place, shell)
    if (desk !== null) return desk
    const owner = ownerOf(folder)
    if (owner?.command === 'serve') servedAt = Date.now()
    if (owner === null && Date.now() - servedAt > graceMs) {
      const own = await openAlone(command, configuration)
      if (own !== null) return own
    }
    await waitFor(owner)
  }
}

/**
 * Waits a moment for whoever has a folder, and gives up on one who keeps it. Each owner is waited for anew: one who waited
 * through a restart finds the next in its first moment.
 */
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

/** The desk at a server; null when the server is not ready. Only the code of the desk in use is loaded. */
async function openAtServer(folder: string, place: ServerPlace, { err }: Shell): Promise<Desk | null> {
  const { isReady } = await import('./is-ready.ts')
  if (!(await isReady(place))) return null
  const { createServerDesk } = await import('./server-desk.ts')
  const { createServerLine } = await import('./server-line.ts')
  const tell = (sentence: string) => err.write(`${inertLine(sentence)}\n`)
  return createServerDesk(folder, createServerLine({ folder, place, tell }))
}

/** The desk in this process; null if another process took the folder first. */
async function openAlone(command: string, configuration: Configuration): Promise<Desk | null> {
  const { openHouse } = await import('../open-house.ts')
  const { createHouseDesk } = await import('./house-desk.ts')
  try {
    return createHouseDesk(await openHouse(command, configuration))
  } catch (error) {
    if (isDragomanError(error, 'folder-locked')) return null
    throw error
  }
}
