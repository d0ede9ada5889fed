import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The bytes of all files in a folder and below. */
export function folderSize(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(file => file.isFile())
    .reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0)
}
