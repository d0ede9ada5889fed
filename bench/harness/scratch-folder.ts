import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const tmpfs = 0x01021994

/** A folder for one bench, gone when disposed of. */
export interface ScratchFolder extends Disposable {
  readonly path: string
}

/** A fresh folder on a real disk: a file system in memory would make every durable write free. */
export function createScratchFolder(): ScratchFolder {
  const parent = [tmpdir(), process.cwd()].find(folder => statfsSync(folder).type !== tmpfs)
  if (parent === undefined)
    throw new Error('Both the temporary folder and this one lie in memory. Set TMPDIR to a folder on a disk.')
  const path = mkdtempSync(join(parent, '.dragoman-bench-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}
