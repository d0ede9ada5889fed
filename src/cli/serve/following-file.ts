import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { replaceFile } from '../../agents/kit/replace-file.ts'
import type { FollowingStore } from '../../sessions/import/following.ts'

const schema = z.object({ since: z.nullable(z.number()), chosen: z.nullable(z.boolean()) })
const nothing = { since: null, chosen: null }

/** The file in a data folder that says whether, and from when on, transcripts are followed. */
export function followingFile(folder: string): FollowingStore {
  const file = join(folder, 'following.json')
  return {
    read() {
      try {
        return schema.parse(JSON.parse(readFileSync(file, 'utf8')))
      } catch {
        // Without it, or when it is damaged, following begins with the next import.
        return nothing
      }
    },
    write: memory => replaceFile(file, JSON.stringify(memory)),
  }
}
