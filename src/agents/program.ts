/** How to start a program. There is no shell: arguments arrive as they are. */
export interface ChildOptions {
  readonly command: string
  /** A file that the command runs, before all arguments. Like the command, it is known only to this machine. */
  readonly file?: string
  readonly args: readonly string[]
  readonly cwd: string
  /** Names of our own environment variables that it may know besides the harmless ones. */
  readonly inherit?: readonly string[]
  /** Variables given to it. */
  readonly env?: Readonly<Record<string, string>>
  readonly dataFolder: string
  /** Ends it when aborted. */
  readonly signal: AbortSignal
  /** How long it may take to end when asked, in milliseconds. */
  readonly grace?: number
}

/** A running program, the leader of its own process group. Disposing of it ends the group and all that it started. */
export interface Child extends AsyncDisposable {
  readonly pid: number | null
  /** What it writes, in pieces, once, for one reader. While nobody reads, it cannot write on. */
  readonly output: AsyncIterable<Uint8Array>
  /** What it writes beside its output, and troubles of ours with it. */
  readonly logs: LogPieces
  /** The end of its log so far. */
  readonly lastWords: () => string
  /** How it ended; never rejects. */
  readonly exit: Promise<Exit>
  /** Resolves when the text is handed over, or when there is nobody left to take it. */
  write(text: string): Promise<void>
}

/** Starts a program, here or elsewhere. One that cannot be started is a child that has exited, with the reason. */
export type StartProgram = (options: ChildOptions) => Child

/** Pieces of a log that wait for a reader; what nobody reads in time is dropped and counted, never hoarded. */
export interface LogPieces extends AsyncIterable<string> {
  add(text: string): void
  end(): void
}

/** How a process ended, and why if that is known. */
export interface Exit {
  readonly code: number | null
  readonly signal: string | null
  readonly reason: string | null
  /** All of it in a sentence for people, with what to do, where more is known than this. */
  readonly sentence?: string
}
