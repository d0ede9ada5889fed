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
  /** The mark in the environment of all processes that it started. */
  mark: z.optional(z.uuid()),
})

/** The record of a running child, so that a later start can end it. */
type ProcessRecord = z.infer<typeof recordSchema>

/** What happened to a record of an earlier run. */
export interface Orphan {
  readonly file: string
  readonly record: ProcessRecord | null
  /** `ended` and `killed` were ours and still ran; `gone` had already ended, `unreadable` was not a valid record. */
  readonly outcome: 'ended' | 'killed' | 'gone' | 'unreadable'
}

const folderOf = (dataFolder: string) => join(dataFolder, 'processes')

/** A running child. */
export type Registered = Pick<ProcessRecord, 'pid' | 'command' | 'mark'>

/** Records a child that leads its own process group. The returned function deletes the record. */
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
      // The next start finds that the process is gone, and deletes the record.
    }
  }
}

/** Ends the children of a run that died, and only those: pid and start time must both match the record. */
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
  // While its leader exists, even as a zombie, the group's number is not reused.
  const ours = group === pid && identifyProcess(pid)?.startedAt === startedAt
  // Only our processes have this mark, so they are ours even if their leader is gone.
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
