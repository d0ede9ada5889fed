import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { endGroup, endMarked } from './end-group.ts'
import { findMarked } from './marked-processes.ts'
import { identifyProcess, isGroupAlive } from './process-identity.ts'

const recordSchema = z.object({
  pid: z.number().check(z.int(), z.gt(1)),
  group: z.number().check(z.int(), z.gt(1)),
  startedAt: z.string(),
  command: z.string(),
  /** What all that it started bears in its environment. */
  mark: z.optional(z.uuid()),
})

/** What is written down of a running child, so that it can be ended when we cannot do it ourselves. */
type ProcessRecord = z.infer<typeof recordSchema>

/** What became of a record that an earlier run left behind. */
export interface Orphan {
  readonly file: string
  readonly record: ProcessRecord | null
  /** `ended` and `killed` were ours and ran on; `gone` had ended, `unreadable` was no record. */
  readonly outcome: 'ended' | 'killed' | 'gone' | 'unreadable'
}

const folderOf = (dataFolder: string) => join(dataFolder, 'processes')

/** What is known of a child that runs. */
export type Registered = Pick<ProcessRecord, 'pid' | 'command' | 'mark'>

/** Writes down a child that leads its own process group, at once; the returned function strikes it out. */
export function registerProcess(dataFolder: string, running: Registered): () => void {
  const { pid } = running
  const startedAt = identifyProcess(pid)?.startedAt
  if (startedAt === undefined) return () => undefined
  const folder = folderOf(dataFolder)
  const file = join(folder, `${pid}.json`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const record: ProcessRecord = { ...running, group: pid, startedAt }
  writeFileSync(file, JSON.stringify(record), { mode: 0o600 })
  return () => {
    try {
      rmSync(file, { force: true })
    } catch {
      // The next start finds that the process is gone, and tries again.
    }
  }
}

/** Ends the children of a run that died, and only those: the number and the start time must both be as written. */
export async function endOrphans(dataFolder: string, grace = 2_000): Promise<readonly Orphan[]> {
  const folder = folderOf(dataFolder)
  return await Promise.all(
    namesIn(folder).map(async file => {
      const record = readRecord(join(folder, file))
      const outcome = record ? await endOrphan(record, grace) : 'unreadable'
      rmSync(join(folder, file), { force: true, recursive: true })
      return { file, record, outcome }
    }),
  )
}

async function endOrphan(
  { pid, group, startedAt, mark }: ProcessRecord,
  grace: number,
): Promise<Orphan['outcome']> {
  // While its leader exists, be it unreaped, a group's number belongs to nobody else.
  const ours = group === pid && identifyProcess(pid)?.startedAt === startedAt
  // Nobody else has our mark, so what bears it is ours even when its leader is gone.
  const left = mark !== undefined && findMarked(mark).length > 0
  if (!left && (!ours || !isGroupAlive(group))) return 'gone'
  const ended = ours ? await endGroup(group, grace, mark) : await endMarked(mark ?? '', grace)
  return ended === 'asked' ? 'ended' : 'killed'
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function readRecord(file: string): ProcessRecord | null {
  try {
    return recordSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}
