import { watch, type Dirent, type FSWatcher } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createBreaks } from '../in-slices.ts'
import { wait } from '../wait.ts'

/** Files to watch: those below a folder that a test accepts. */
export interface WatchedPlace {
  readonly folder: string
  /** The names of folders that are left out. */
  readonly ignored: readonly string[]
  readonly accepts: (file: string) => boolean
  readonly changed: (file: string) => void
}

/** What watching files needs. */
export interface WatchOptions {
  readonly places: readonly WatchedPlace[]
  /** Files that changed before this time are not reported. */
  readonly since: number
  readonly stopping: AbortSignal
  /** Called after each look at all files, with the time when it began. */
  readonly looked: (at: number) => void
  readonly now: () => number
}

/** How often files are looked at that changed lately, and at most all of them. */
const tickMs = 2000
const mostSweepMs = 60_000
/** Looking at all files may take this part of the time; more where the system does not report changes. */
const share = 0.01
const shareUnwatched = 0.05
/** About how long one name in a folder takes: what it really takes depends on how busy the machine is. */
const nameMs = 0.05
const mostWatched = 2000
const mostHot = 100
const hotMs = 10 * 60_000
/** Several changes of a file are one. */
const settleMs = 100

/**
 * Reports new and changed files: at once where the system tells about them, and by looking at all files now and then, which also finds
 * what the system did not tell. Resolves when it is stopped. Nothing is written, and links are not followed.
 */
export async function watchFiles(options: WatchOptions): Promise<void> {
  const { places, stopping, now, looked } = options
  const files = new Map<string, string>()
  const hot = new Map<string, { readonly place: WatchedPlace; readonly at: number }>()
  const watchers = new Map<string, FSWatcher>()
  const settling = new Map<string, NodeJS.Timeout>()
  let unwatched = 0
  let sweptNames = 0
  let since: number | null = options.since

  const look = async (place: WatchedPlace, file: string): Promise<void> => {
    const facts = await lstat(file).catch(() => null)
    if (facts === null || !facts.isFile()) return void (files.delete(file), hot.delete(file))
    const stamp = `${facts.ino} ${facts.size} ${facts.mtimeMs}`
    if (files.get(file) === stamp) return
    const isOld = since !== null && Math.max(facts.mtimeMs, facts.ctimeMs) < since
    files.set(file, stamp)
    if (isOld) return
    hot.delete(file)
    hot.set(file, { place, at: now() })
    place.changed(file)
  }
  const sweep = async (place: WatchedPlace, folder: string, seen: Set<string>): Promise<void> => {
    if (stopping.aborted) return
    watchFolder(place, folder)
    const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => {
      // If it comes back, it is another folder.
      watchers.get(folder)?.close()
      watchers.delete(folder)
      return []
    })
    sweptNames += entries.length + 1
    for (const entry of entries) {
      const path = join(folder, entry.name)
      if (entry.isDirectory() && !place.ignored.includes(entry.name)) await sweep(place, path, seen)
      if (!entry.isFile() || !place.accepts(path)) continue
      seen.add(path)
      await look(place, path)
    }
  }
  const watchFolder = (place: WatchedPlace, folder: string) => {
    if (watchers.has(folder)) return
    if (watchers.size >= mostWatched) return void (unwatched += 1)
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => {
        if (name !== null) notice(place, join(folder, name))
      })
      const drop = () => {
        watchers.delete(folder)
        watcher.close()
      }
      watchers.set(folder, watcher.on('error', drop))
    } catch {
      // The system has no more watches, or cannot watch this folder: it is looked at more often instead.
      unwatched += 1
    }
  }
  const notice = (place: WatchedPlace, path: string) => {
    if (settling.has(path) || stopping.aborted) return
    const settled = () => {
      settling.delete(path)
      void lookAt(place, path)
    }
    settling.set(path, setTimeout(settled, settleMs).unref())
  }
  const lookAt = async (place: WatchedPlace, path: string) => {
    const facts = await lstat(path).catch(() => null)
    if (facts?.isDirectory() === true) await sweep(place, path, new Set())
    else if (place.accepts(path)) await look(place, path)
  }
  const lookAtAll = async () => {
    const at = now()
    const seen = new Set<string>()
    const takeBreak = createBreaks()
    unwatched = 0
    sweptNames = 0
    for (const place of places) {
      await sweep(place, place.folder, seen)
      await takeBreak()
    }
    if (stopping.aborted) return
    for (const file of files.keys()) if (!seen.has(file)) files.delete(file)
    since = null
    looked(at)
  }
  const lookAtHot = async () => {
    const old = now() - hotMs
    for (const [file, { at }] of hot) if (at < old || hot.size > mostHot) hot.delete(file)
    for (const [file, { place }] of hot) await look(place, file)
  }

  let next = 0
  while (!stopping.aborted) {
    const started = performance.now()
    if (started >= next) {
      await lookAtAll()
      const pause = (sweptNames * nameMs) / (unwatched > 0 ? shareUnwatched : share)
      next = performance.now() + Math.min(mostSweepMs, pause)
    } else await lookAtHot()
    await wait(tickMs, stopping)
  }
  for (const timer of settling.values()) clearTimeout(timer)
  for (const watcher of watchers.values()) watcher.close()
}
