import { followTranscripts, type FollowOptions } from './follow-transcripts.ts'

/** What is saved about following transcripts. */
export interface FollowingMemory {
  /** Everything that changed before this time is imported, or was not wanted; null before the first import. */
  readonly since: number | null
  /** Whether a person turned it on or off; null by default. */
  readonly chosen: boolean | null
}

/** Keeps the memory of following in the data folder. */
export interface FollowingStore {
  read(): FollowingMemory
  write(memory: FollowingMemory): Promise<void>
}

/** Whether transcripts are followed, and who decided it. */
export interface FollowingState {
  readonly on: boolean
  /** Why: by the configuration, by a person, or because something was imported before (or not). */
  readonly by: 'configuration' | 'person' | 'first-import'
}

/** New transcripts, and new lines in known ones, become sessions while agents write them. */
export interface Following extends AsyncDisposable {
  state(): FollowingState
  /** Turns it on or off. The configuration takes precedence. */
  set(on: boolean): Promise<FollowingState>
  /** Something was imported from the usual folders: from now on they are followed, unless it is turned off. */
  imported(startedAt: number): void
}

/** What following needs. */
export interface FollowingOptions extends Omit<FollowOptions, 'since' | 'done' | 'stopping'> {
  /** The setting; undefined to begin after the first import. */
  readonly configured: boolean | undefined
  readonly store: FollowingStore
  /** Called when the memory could not be saved. */
  readonly failed: (error: unknown) => void
}

/** Follows transcripts whenever it should. */
export function createFollowing(options: FollowingOptions): Following {
  const { configured, store, now, failed } = options
  let memory = store.read()
  let running: { readonly stop: AbortController; readonly ended: Promise<void> } | null = null
  let saving = Promise.resolve()

  const state = (): FollowingState => {
    if (configured !== undefined) return { on: configured, by: 'configuration' }
    if (memory.chosen !== null) return { on: memory.chosen, by: 'person' }
    return { on: memory.since !== null, by: 'first-import' }
  }
  const remember = (change: Partial<FollowingMemory>): Promise<void> => {
    memory = { ...memory, ...change }
    const saved = memory
    saving = saving.then(() => store.write(saved)).catch(failed)
    return saving
  }
  const stop = async () => {
    running?.stop.abort()
    await running?.ended
    running = null
  }
  const adjust = () => {
    const { on } = state()
    if (on === (running !== null)) return
    if (!on) return void stop()
    const since = memory.since ?? now()
    if (memory.since === null) void remember({ since })
    const ending = new AbortController()
    const done = (upTo: number) => void remember({ since: upTo })
    const ended = followTranscripts({ ...options, since, done, stopping: ending.signal }).catch(failed)
    running = { stop: ending, ended }
  }

  adjust()
  return {
    state,
    async set(on) {
      if (configured === undefined) await remember({ chosen: on })
      if (!state().on) await stop()
      adjust()
      return state()
    },
    imported(startedAt) {
      if (memory.since === null) void remember({ since: startedAt })
      adjust()
    },
    async [Symbol.asyncDispose]() {
      await stop()
      await saving
    },
  }
}

/** A memory that a restart forgets. */
export function memoryOfFollowing(): FollowingStore {
  let memory: FollowingMemory = { since: null, chosen: null }
  return {
    read: () => memory,
    async write(changed) {
      memory = changed
    },
  }
}
