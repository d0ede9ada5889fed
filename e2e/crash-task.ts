/** The options of a server under test. */
export interface CrashTask {
  readonly folder: string
  /** For each session the last seq that a client saw, or null before it exists. */
  readonly cursors: Readonly<Record<string, number | null>>
  /** Prompts that were acknowledged; sent again they must be known. */
  readonly acknowledged: Readonly<Record<string, readonly string[]>>
  /** The step at which it ends itself, or null when it is killed from outside. */
  readonly crashAt: { readonly step: string; readonly occurrence: number } | null
}

/** The lines that it prints before it dies. */
export type Told =
  | { readonly type: 'serving' }
  | {
      readonly type: 'seen'
      readonly session: string
      readonly entries: readonly (readonly [seq: number, id: string])[]
    }
  | { readonly type: 'acknowledged'; readonly session: string; readonly prompt: string }
  | { readonly type: 'lost-prompt'; readonly session: string; readonly prompt: string }
  | { readonly type: 'trouble'; readonly message: string }
