import { isDragomanError } from '../../protocol/error.ts'
import { wait } from '../../sessions/wait.ts'
import { findServer } from '../sessions-api/find-server.ts'
import { isReady } from '../sessions-api/is-ready.ts'

const betweenMs = 100
const patienceMs = 5000

/**
 * Opens a data folder. Waits briefly for another command, or for a server that is stopping, but not for a running server.
 */
export async function takeFolder<Opened>(folder: string, open: () => Promise<Opened>): Promise<Opened> {
  for (const since = Date.now(); ; await wait(betweenMs)) {
    try {
      return await open()
    } catch (error) {
      if (!isDragomanError(error, 'folder-locked') || Date.now() - since > patienceMs) throw error
      const place = findServer(folder)
      if (place !== null && (await isReady(place))) throw error
    }
  }
}
