import { randomUUID } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder } from './make-folder.ts'

/** Replaces a file atomically, so that it is never incomplete. */
export async function replaceFile(file: string, text: string, mode = 0o600): Promise<void> {
  const draft = `${file}.${randomUUID()}.draft`
  await makeFolder(dirname(file), 0o700)
  try {
    await writeFile(draft, text, { mode, flush: true })
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
