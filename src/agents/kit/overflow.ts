import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Raw } from '../../protocol/event.ts'

/** A place on disk for one line that is too long for memory. */
export interface Overflow {
  write(bytes: Uint8Array): Promise<void>
  /** Returns where the line is saved, once it is on disk. */
  close(): Promise<Required<Raw>['rawFile']>
  /** Drops a line that is no longer needed. */
  discard(): Promise<void>
}

/** The folder for long lines within a data folder. */
export const overflowFolder = (dataFolder: string) => join(dataFolder, 'overflow')

/** The file name of a line that could not be written. */
export const notKept = 'not-kept'

const unfinished = 'unfinished-'

/**
 * Opens a file for a long line; when complete, it is named after its content. A disk that refuses it (full, read-only) is
 * reported, and the line is still read to its end, so that the lines after it stay readable.
 */
export async function openOverflow(dataFolder: string, report: (trouble: string) => void): Promise<Overflow> {
  const folder = overflowFolder(dataFolder)
  const draft = join(folder, `${unfinished}${randomUUID()}`)
  const hash = createHash('sha256')
  let bytes = 0
  let file: FileHandle | null = null
  const discard = async () => {
    await file?.close().catch(() => undefined)
    await rm(draft, { force: true }).catch(() => undefined)
    file = null
  }
  const attempt = async (work: () => Promise<unknown>) => {
    try {
      await work()
    } catch (error) {
      report(`A line too long for memory could not be saved on disk: ${String(error)}`)
      await discard()
    }
  }
  await attempt(async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    file = await open(draft, 'wx', 0o600)
  })
  return {
    async write(piece) {
      hash.update(piece)
      bytes += piece.length
      await attempt(async () => await file?.writeFile(piece))
    },
    async close() {
      const sha256 = hash.digest('hex')
      await attempt(async () => file && (await settle(file, draft, join(folder, sha256))))
      return { name: file ? sha256 : notKept, bytes, sha256 }
    },
    discard,
  }
}

async function settle(file: FileHandle, from: string, to: string): Promise<void> {
  await file.sync()
  await file.close()
  await rename(from, to)
  const folder = await open(join(to, '..'))
  // The journal will promise that the line is saved, so its name must be on disk too.
  await folder.sync().finally(() => folder.close())
}

/** Deletes incomplete files of a process that died. Call it before any agent runs. */
export async function removeUnfinished(dataFolder: string): Promise<void> {
  const folder = overflowFolder(dataFolder)
  const names = await readdir(folder).catch(() => [])
  const stale = names.filter(name => name.startsWith(unfinished))
  await Promise.all(stale.map(name => rm(join(folder, name), { force: true })))
}
