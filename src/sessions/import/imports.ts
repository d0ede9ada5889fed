import type { Agent } from '../../agents/agent.ts'
import { DragomanError, isDragomanError } from '../../protocol/error.ts'
import { importingAgents, type AgentTranscript, type Search } from './find-transcripts.ts'
import { importFound, type ImportNote, type ImportTarget } from './import-found.ts'
import type { ImportOutcome } from './import-transcript.ts'

/** What agents left on this machine. */
export interface LeftBehindBy {
  readonly agent: string
  readonly sessions: number
  readonly bytes: number
  /** When the sessions changed last: the oldest and the newest of them, in milliseconds since 1970. */
  readonly from: number
  readonly to: number
  /** How many of them are sessions here already. */
  readonly imported: number
}

/** How far an import is. */
export interface ImportProgress {
  readonly id: string
  readonly startedAt: number
  readonly endedAt: number | null
  /** Null while it is searching. */
  readonly total: number | null
  readonly done: number
  readonly bytes: number
  readonly bytesDone: number
  readonly lines: number
  readonly skipped: number
  readonly failed: number
  readonly outcomes: Readonly<Partial<Record<ImportOutcome, number>>>
  /** Why lines were skipped or files could not be read, the most frequent reasons first, and how often. */
  readonly reasons: readonly { readonly reason: string; readonly count: number }[]
  /** Whether it waits to be continued. */
  readonly paused: boolean
  /** Why it ended early; null if it did not. */
  readonly failure: { readonly code: string; readonly message: string } | null
}

/** What to import: all agents and their usual places by default. */
export interface ImportWish {
  readonly agents?: readonly string[] | undefined
  readonly path?: string | undefined
  readonly unpackLimit?: number | undefined
}

/** Imports transcripts in the background, one after the other. */
export interface Imports {
  found(): Promise<readonly LeftBehindBy[]>
  /** The imports that run or wait, and those that ended last. */
  all(): readonly ImportProgress[]
  /** Begins an import. Throws for an agent without transcripts. */
  start(wish: ImportWish): ImportProgress
  /** An import, and its notes after a number. */
  get(id: string, after: number): { readonly progress: ImportProgress; readonly notes: readonly ImportNote[] }
  /** Ends an import after the transcript that it reads. Importing again continues there. */
  stop(id: string): ImportProgress
  /** Pauses an import after the transcript that it reads, or continues it. */
  pause(id: string, paused: boolean): ImportProgress
}

/** What imports need. */
export interface ImportsOptions extends Omit<ImportTarget, 'unpackLimit'> {
  readonly agents: Iterable<Agent>
  readonly find: (agents: readonly Agent[], path?: string) => Promise<Search>
  readonly isImported: (agent: string, agentSession: string) => Promise<boolean>
  readonly now: () => number
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal
  /** Called after an import of the usual folders that found something, with the time when it began. */
  readonly imported?: (startedAt: number) => void
}

/** How long the result of a search is used again. */
const freshMs = 10_000
const mostKept = 10
const mostWaiting = 20

interface Job {
  readonly wish: ImportWish
  readonly stop: AbortController
  /** Continues it; null while it is not paused. */
  resume: (() => void) | null
  readonly notes: ImportNote[]
  progress: ImportProgress
}

/** Creates the imports of a server. */
export function createImports(options: ImportsOptions): Imports {
  const { agents, find, isImported, now } = options
  const search = createSearch(options)
  let jobs: readonly Job[] = []
  let chain = Promise.resolve()
  const jobNamed = (id: string) => {
    const job = jobs.find(({ progress }) => progress.id === id)
    if (job !== undefined) return job
    throw new DragomanError(
      'unknown-import',
      `There is no import "${id}". GET /api/imports lists the latest ones.`,
    )
  }
  return {
    found: async () => summed((await search()).found, isImported),
    all: () => jobs.map(({ progress }) => progress),
    start(wish) {
      const chosen = importingAgents(agents, wish.agents)
      if (jobs.filter(({ progress }) => progress.endedAt === null).length >= mostWaiting)
        throw new DragomanError(
          'too-many-attempts',
          `${mostWaiting} imports are waiting already. Start this one again when they are done.`,
        )
      const job = newJob(wish, now())
      jobs = [job, ...jobs].filter((each, index) => each.progress.endedAt === null || index < mostKept)
      chain = chain.then(() => runJob(job, () => find(chosen, wish.path), options))
      return job.progress
    },
    get(id, after) {
      const { progress, notes } = jobNamed(id)
      return { progress, notes: notes.slice(after, after + mostNotesAtOnce) }
    },
    stop(id) {
      const job = jobNamed(id)
      job.stop.abort()
      return job.progress
    },
    pause(id, paused) {
      const job = jobNamed(id)
      if (job.progress.endedAt === null && paused !== job.progress.paused) setPaused(job, paused)
      return job.progress
    },
  }
}

const mostNotesAtOnce = 1000
/** A file of another kind can have a million unreadable lines. They are all counted. */
const mostNotes = 20_000

/** Searches the usual places of all agents. The result is used again for a while. */
function createSearch({ agents, find, now }: ImportsOptions): () => Promise<Search> {
  let last: { readonly at: number; readonly search: Promise<Search> } | null = null
  return () => {
    if (last === null || now() - last.at > freshMs)
      last = { at: now(), search: find(importingAgents(agents)) }
    return last.search
  }
}

/** Runs one import to its end. Never throws. */
async function runJob(job: Job, found: () => Promise<Search>, options: ImportsOptions): Promise<void> {
  const { stopping, now } = options
  const stopped = AbortSignal.any([job.stop.signal, stopping])
  try {
    // A search of a whole disk takes long, and is left to itself.
    const search = await Promise.race([found(), whenAborted(stopped)])
    await importAll(job, search, { ...options, unpackLimit: job.wish.unpackLimit }, stopped)
  } catch (error) {
    job.progress = { ...job.progress, failure: failureOf(error) }
  }
  job.progress = { ...job.progress, endedAt: now(), paused: false }
  if (job.wish.path === undefined && job.progress.done > 0) options.imported?.(job.progress.startedAt)
}

const nothing: Search = { found: [], unread: [] }

const whenAborted = (signal: AbortSignal): Promise<Search> =>
  new Promise(resolve => {
    if (signal.aborted) resolve(nothing)
    else signal.addEventListener('abort', () => resolve(nothing), { once: true })
  })

function newJob(wish: ImportWish, at: number): Job {
  const none = { total: null, done: 0, bytes: 0, bytesDone: 0, lines: 0, skipped: 0, failed: 0 }
  const course = { outcomes: {}, reasons: [], paused: false, failure: null }
  const progress = { id: crypto.randomUUID(), startedAt: at, endedAt: null, ...none, ...course }
  return { wish, stop: new AbortController(), resume: null, notes: [], progress }
}

function setPaused(job: Job, paused: boolean): void {
  job.progress = { ...job.progress, paused }
  if (!paused) job.resume?.()
}

/** Waits while an import is paused. Stopping it ends the wait. */
async function whilePaused(job: Job, stopped: AbortSignal): Promise<void> {
  while (job.progress.paused && !stopped.aborted) {
    const { promise, resolve } = Promise.withResolvers<void>()
    job.resume = resolve
    stopped.addEventListener('abort', () => resolve(), { once: true })
    await promise
    job.resume = null
  }
}

async function importAll(
  job: Job,
  { found, unread }: Search,
  target: ImportTarget,
  stopped: AbortSignal,
): Promise<void> {
  if (stopped.aborted) {
    job.progress = { ...job.progress, failure: wasStopped }
    return
  }
  const bytes = found.reduce((sum, each) => sum + each.found.bytes, 0)
  job.progress = { ...job.progress, total: found.length, bytes: Math.round(bytes) }
  const note = (each: ImportNote) => {
    if (job.notes.length < mostNotes) job.notes.push(each)
    job.progress = afterNote(job.progress, each)
  }
  for (const each of unread) note({ type: 'unread', ...each })
  let done = 0
  for (const each of found) {
    await whilePaused(job, stopped)
    if (stopped.aborted) {
      job.progress = { ...job.progress, failure: wasStopped }
      return
    }
    await importFound(target, each, note)
    done += each.found.bytes
    job.progress = { ...job.progress, done: job.progress.done + 1, bytesDone: Math.round(done) }
  }
}

function afterNote(before: ImportProgress, note: ImportNote): ImportProgress {
  if (note.type !== 'imported') {
    const reasons = countReason(before.reasons, note.reason)
    const isFile = note.type === 'unread' || note.isEnd === true
    return isFile
      ? { ...before, reasons, failed: before.failed + 1 }
      : { ...before, reasons, skipped: before.skipped + 1 }
  }
  const outcomes = { ...before.outcomes, [note.outcome]: (before.outcomes[note.outcome] ?? 0) + 1 }
  return { ...before, lines: before.lines + note.lines, outcomes }
}

/** Files can make up any number of reasons. */
const mostReasons = 20
const otherReason = 'Other reasons.'

/** A reason without the content of the line that it may repeat, so that the same reasons can be counted. */
export function generalReason(reason: string): string {
  const [general = reason] = reason.split(': ', 1)
  return general === reason ? reason : `${general}.`
}

function countReason(before: ImportProgress['reasons'], text: string): ImportProgress['reasons'] {
  const given = generalReason(text)
  const isFull = before.length >= mostReasons && before.every(({ reason }) => reason !== given)
  const reason = isFull ? otherReason : given
  const count = (before.find(each => each.reason === reason)?.count ?? 0) + 1
  const others = before.filter(each => each.reason !== reason)
  return [...others, { reason, count }].toSorted((one, other) => other.count - one.count)
}

const wasStopped = { code: 'stopped', message: 'The import was stopped. Start it again to continue.' }

const failureOf = (error: unknown) => ({
  code: isDragomanError(error) ? error.code : 'internal',
  message: (error as Error).message,
})

async function summed(
  found: readonly AgentTranscript[],
  isImported: ImportsOptions['isImported'],
): Promise<readonly LeftBehindBy[]> {
  const sums = new Map<string, LeftBehindBy>()
  for (const { agent, found: each } of found) {
    const before = sums.get(agent)
    const { changedAt } = each
    sums.set(agent, {
      agent,
      sessions: (before?.sessions ?? 0) + 1,
      bytes: Math.round((before?.bytes ?? 0) + each.bytes),
      from: Math.min(before?.from ?? changedAt, changedAt),
      to: Math.max(before?.to ?? changedAt, changedAt),
      imported: (before?.imported ?? 0) + ((await isImported(agent, each.agentSession)) ? 1 : 0),
    })
  }
  return [...sums.values()].toSorted((one, other) => other.sessions - one.sessions)
}
