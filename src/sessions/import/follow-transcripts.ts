import type { Agent } from '../../agents/agent.ts'
import type { FoundTranscript, SkippedLine } from '../../agents/importer.ts'
import { errorMessage, isDragomanError } from '../../protocol/error.ts'
import { wait } from '../wait.ts'
import type { Followed } from './import-transcript.ts'
import type { ImportingSessions } from './importing.ts'
import { watchFiles, type WatchedPlace } from './watch-files.ts'

/** What following transcripts needs. */
export interface FollowOptions {
  readonly agents: readonly Agent[]
  /** The folders of an agent's transcripts. They need not exist yet. */
  readonly placesOf: (agent: Agent) => readonly string[]
  readonly sessions: Pick<ImportingSessions, 'importToFollow' | 'isKnown' | 'hasUnnamedRun'>
  readonly dataFolder: string
  /** Transcripts that changed before this time are left alone. */
  readonly since: number
  /** Called with a time when everything that changed before it is imported, after something was. */
  readonly done: (upTo: number) => void
  /** Called with what could not be read, once for each file. */
  readonly report: (file: string, reason: string) => void
  readonly now: () => number
  readonly stopping: AbortSignal
}

/** The transcripts to look for in a file or folder. */
interface Wanted {
  readonly agent: Agent
  readonly path: string
  readonly due: number
}

/** A transcript that was imported, and where its next import continues. */
interface Known {
  readonly stamp: string
  readonly done: Followed | null
  readonly end: object | null
}

/** A file that is searched often is searched again after this part of the time that it took, but always within `mostWaitMs`. */
const restFactor = 20
const leastWaitMs = 500
const mostWaitMs = 3000
/** A transcript that just appeared may be that of an agent which runs here and has not said so yet. */
const strangerMs = 1500
const mostStrangerMs = 60_000
const idleMs = 3_600_000
/** The time of a file may be behind the clock by this much. */
const slackMs = 10_000
const mostAtOnce = 8 * 1024 * 1024
/** For so many transcripts the state of their import is kept in memory. */
const mostContinued = 16
const mostKnown = 50_000

/** Imports what agents write in their own terminals, while they write it. Resolves when it is stopped, after the current import. */
export async function followTranscripts(given: FollowOptions): Promise<void> {
  const options = { ...given, since: given.since - slackMs }
  const { agents, placesOf, now, stopping, done } = options
  const wanted = new Map<string, Wanted>()
  let resting = new AbortController()
  stopping.addEventListener('abort', () => resting.abort(), { once: true })
  let isNews = false
  let isImporting = false
  const want = (agent: Agent, path: string) => {
    const key = keyOf({ agent, path })
    if (!wanted.has(key)) wanted.set(key, { agent, path, due: rested.get(key) ?? now() })
    resting.abort()
  }
  /** When a path may be searched again. */
  const rested = new Map<string, number>()
  const places = agents.flatMap(agent => placesOf(agent).map(folder => watched(agent, folder, want)))
  const watching = watchFiles({
    places,
    since: options.since,
    now,
    stopping,
    looked(at) {
      if (wanted.size > 0 || isImporting || !isNews) return
      isNews = false
      done(at)
    },
  })
  const importing = createFollowedImports(options)
  while (!stopping.aborted) {
    const next = [...wanted.values()].reduce<Wanted | null>(earlier, null)
    const left = next === null ? idleMs : next.due - now()
    if (next === null || left > 0) {
      resting = new AbortController()
      await wait(left, resting.signal)
      continue
    }
    // A change while it is searched is one more.
    wanted.delete(keyOf(next))
    const started = performance.now()
    isImporting = true
    const isLater = await importing(next)
    isImporting = false
    isNews = true
    const rest = Math.min(mostWaitMs, Math.max(leastWaitMs, (performance.now() - started) * restFactor))
    rested.set(keyOf(next), now() + rest)
    if (rested.size > mostKnown) rested.clear()
    if (isLater) want(next.agent, next.path)
  }
  await watching
}

const keyOf = ({ agent, path }: Pick<Wanted, 'agent' | 'path'>) => `${agent.name} ${path}`

const earlier = (one: Wanted | null, other: Wanted): Wanted =>
  one === null || other.due < one.due ? other : one

function watched(agent: Agent, folder: string, want: (agent: Agent, path: string) => void): WatchedPlace {
  const { importer } = agent
  const pathOf = (file: string) => (importer?.scope === undefined ? folder : importer.scope(file, folder))
  return {
    folder,
    ignored: importer?.ignored ?? [],
    accepts: file => pathOf(file) !== null,
    changed(file) {
      const path = pathOf(file)
      if (path !== null) want(agent, path)
    },
  }
}

/** Imports what is new below a path; returns whether it must be looked at again. */
function createFollowedImports(options: FollowOptions): (wanted: Wanted) => Promise<boolean> {
  const { sessions, report, now, since, stopping } = options
  const transcripts = new Map<string, Known>()
  const firstSeen = new Map<string, number>()
  const reported = new Set<string>()
  const tell = (file: string, reason: string) => {
    if (reported.has(`${file} ${reason}`) || reported.size > mostKnown) return
    reported.add(`${file} ${reason}`)
    report(file, reason)
  }
  /** Whether it is new here and must wait until it is certain that it is not the transcript of a session of ours. */
  const isUncertain = async (agent: Agent, { agentSession }: FoundTranscript): Promise<boolean> => {
    if (await sessions.isKnown(agent.name, agentSession)) return false
    const seen = firstSeen.get(agentSession) ?? now()
    firstSeen.set(agentSession, seen)
    const age = now() - seen
    if (age < strangerMs || (sessions.hasUnnamedRun() && age < mostStrangerMs)) return true
    firstSeen.delete(agentSession)
    return false
  }
  const importOne = async (agent: Agent, found: FoundTranscript): Promise<boolean> => {
    const key = `${agent.name} ${found.agentSession} ${found.file}`
    const before = transcripts.get(key)
    const stamp = `${found.changedAt} ${found.bytes}`
    if (before?.stamp === stamp || isElsewhere(before?.done)) return true
    if (before === undefined && (await isUncertain(agent, found))) return false
    const { done, end } = await readOn(options, agent, found, before ?? null, tell)
    transcripts.delete(key)
    transcripts.set(key, { stamp, done, end })
    forgetOldest(transcripts)
    return true
  }
  return async ({ agent, path }) => {
    let isLater = false
    try {
      for await (const found of agent.importer?.find(path) ?? []) {
        if (stopping.aborted) break
        const key = `${agent.name} ${found.agentSession} ${found.file}`
        const isOld = found.changedAt < since && !transcripts.has(key)
        if (isOld) continue
        const isDone = await importOne(agent, found).catch((error: unknown) => {
          tell(found.file, errorMessage(error))
          // What could not be saved is tried again. What could not be read is read when it changes.
          return !isDragomanError(error)
        })
        isLater ||= !isDone
      }
    } catch (error) {
      // It can be gone by now. Anything else is worth a line in the log.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') tell(path, errorMessage(error))
    }
    return isLater
  }
}

/** Whether its session is not made from this transcript, so that it need not be read again. */
const isElsewhere = (done: Followed | null | undefined): boolean =>
  done?.outcome === 'elsewhere' || done?.outcome === 'continued' || done?.outcome === 'deleted'

/** Reads a transcript from where the last import ended, in slices, and imports it. */
async function readOn(
  { sessions, dataFolder, stopping }: FollowOptions,
  agent: Agent,
  found: FoundTranscript,
  before: Known | null,
  tell: (file: string, reason: string) => void,
): Promise<Pick<Known, 'done' | 'end'>> {
  const { file, changedAt } = found
  const skip = ({ reason }: SkippedLine) => tell(file, reason)
  let known: Pick<Known, 'done' | 'end'> = before ?? { done: null, end: null }
  for (;;) {
    const from = continuationOf(known)
    const follow = { after: from === null ? null : known.end, most: mostAtOnce }
    const transcript = await found.read({ dataFolder, skip, follow })
    const { isPart = false, hasMore = false, end = null } = transcript.growth ?? {}
    const source = { agent: agent.name, file, transcript, changedAt }
    // If it was changed here meanwhile, nothing is done, and all of it is read again.
    const done = await sessions.importToFollow({ ...source, from: isPart ? from : null })
    known = { done, end }
    if ((done !== null && !hasMore) || stopping.aborted) return known
  }
}

const continuationOf = ({ done, end }: Pick<Known, 'done' | 'end'>): Followed['continuation'] =>
  end === null ? null : (done?.continuation ?? null)

/** Keeps the states of the latest imports only, because they are large. */
function forgetOldest(transcripts: Map<string, Known>): void {
  const excess = [...transcripts].filter(([, { end }]) => end !== null).slice(0, -mostContinued)
  for (const [key, { stamp, done }] of excess)
    transcripts.set(key, { stamp, done: done && { ...done, continuation: null }, end: null })
  const oldest = transcripts.keys().next().value
  if (transcripts.size > mostKnown && oldest !== undefined) transcripts.delete(oldest)
}
