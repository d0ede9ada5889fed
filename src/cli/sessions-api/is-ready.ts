import { createCaller } from '../../client/call.ts'
import { UnreachableError } from '../../client/refusal.ts'
import { isDragomanError } from '../../protocol/error.ts'
import type { ServerPlace } from './find-server.ts'

const answerMs = 3000

/** Whether a server is reachable and accepts work. One that refuses our token throws that error. */
export async function isReady({ url, token }: ServerPlace): Promise<boolean> {
  try {
    const caller = createCaller({ url, token, fetch: globalThis.fetch, timeoutMs: answerMs })
    await caller.call('GET /readyz')
    return true
  } catch (error) {
    // Not running, still starting, or stopping.
    if (error instanceof UnreachableError) return false
    if (isDragomanError(error, 'draining', 'data-folder-gone', 'writer-dead')) return false
    // It cannot save at the moment, but it can still read and stop agents.
    if (isDragomanError(error, 'disk-full', 'journal-unreachable')) return true
    throw error
  }
}
