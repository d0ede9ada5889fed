import { execFileSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Makes the next read of a folder's files come from the disk; gives how, because not every user may drop all caches. */
export function dropCaches(folder: string): string {
  // Only pages that are on the disk already can be dropped.
  execFileSync('sync')
  try {
    writeFileSync('/proc/sys/vm/drop_caches', '3')
    return 'all caches of the system dropped'
  } catch {
    // Only root may do that; every user may drop the pages of their own files.
    for (const file of readdirSync(folder, { recursive: true, withFileTypes: true }))
      if (file.isFile()) forget(join(file.parentPath, file.name))
    return 'the pages of the files given up'
  }
}

const forget = (path: string) => execFileSync('dd', [`if=${path}`, 'iflag=nocache', 'count=0', 'status=none'])
