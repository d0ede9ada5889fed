import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packedReadme } from './packed-readme.ts'

const root = join(import.meta.dirname, '../..')

/** The README of this folder: that of the package while npm packs it. */
export const readme: string = join(root, 'README.md')

/** Where the README of the repository waits meanwhile. */
export const keptReadme: string = join(root, 'node_modules/.cache/dragoman-readme.md')

/** Puts the README of the repository back, also after a packing that was cut off; not over one that was edited since. */
export function restoreReadme(): void {
  if (!existsSync(keptReadme)) return
  const kept = readFileSync(keptReadme, 'utf8')
  if (readFileSync(readme, 'utf8') === packedReadme(kept)) writeFileSync(readme, kept)
  rmSync(keptReadme)
}
