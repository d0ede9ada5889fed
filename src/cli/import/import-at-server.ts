import { setTimeout as pause } from 'node:timers/promises'
import { createCaller, type Caller } from '../../client/call.ts'
import { UnreachableError } from '../../client/refusal.ts'
import type { Replied, Sent } from '../../protocol/api/api.ts'
import { DragomanError } from '../../protocol/error.ts'
import type { ImportNote } from '../../sessions/import/import-found.ts'
import type { ServerPlace } from '../sessions-api/find-server.ts'
import type { Shell } from '../shell.ts'

const answerMs = 30_000
const betweenMs = 200

type Progress = Replied<'getImport'>['import']

/** Where the course of an import is reported. */
export interface Watching {
  readonly note: (note: ImportNote) => void
  readonly show: (done: number) => void
}

/** Lets a server import, and follows it to its end. The server stops it when this command is asked to stop. */
export async function importAtServer(
  place: ServerPlace,
  wish: Sent<'startImport'>['body'],
  watching: Watching,
  shell: Shell,
): Promise<void> {
  const caller = createCaller({ ...place, fetch: globalThis.fetch, timeoutMs: answerMs })
  try {
    const started = await caller.call('POST /api/imports', { body: wish })
    const params = { import: started.import.id }
    const stopped: Promise<unknown>[] = []
    using _ = shell.guard(() => {
      if (stopped.length > 0) shell.exit(1)
      stopped.push(caller.call('DELETE /api/imports/:import', { params }))
    })
    const ended = await follow(caller, params, watching)
    await Promise.all(stopped)
    if (ended.failure !== null) throw failed(ended.failure)
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error
    throw new DragomanError('server-gone', 'The server no longer answers. Import again to continue.', {
      cause: error,
    })
  }
}

const failed = ({ message }: { readonly message: string }) => new DragomanError('save-failed', message)

async function follow(
  caller: Caller,
  params: { readonly import: string },
  { note, show }: Watching,
): Promise<Progress> {
  for (let after = 0; ;) {
    const query = { after: String(after) }
    const { import: progress, notes } = await caller.call('GET /api/imports/:import', { params, query })
    for (const each of notes) note(each as ImportNote)
    after += notes.length
    show(progress.bytesDone / Math.max(1, progress.bytes))
    if (progress.endedAt !== null && notes.length === 0) return progress
    if (notes.length === 0) await pause(betweenMs)
  }
}
