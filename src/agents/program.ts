/** How to start a program. There is no shell: arguments are passed as they are. */
export interface ChildOptions {
  readonly command: string
  /** A file that the command runs, before all arguments. Like the command, it exists only on this machine. */
  readonly file?: string
  readonly args: readonly string[]
  readonly cwd: string
  /** Names of our environment variables that it inherits besides the harmless ones. */
  readonly inherit?: readonly string[]
  /** Additional variables. */
  readonly env?: Readonly<Record<string, string>>
  readonly dataFolder: string
  /** Ends it when aborted. */
  readonly signal: AbortSignal
  /** How long it may take to end before it is killed, in milliseconds. */
  readonly grace?: number
}

/** A running program, which leads a separate process group. Disposing of it ends the group and everything that it started. */
export interface Child extends AsyncDisposable {
  readonly pid: number | null
  /** Its output, in pieces, once, for one reader. While the output is not read, the program has to wait. */
  readonly output: AsyncIterable<Uint8Array>
  /** Its log, with our own messages about it. */
  readonly logs: LogPieces
  /** The end of its log so far. */
  readonly lastWords: () => string
  /** How it ended; never rejects. */
  readonly exit: Promise<Exit>
  /** Resolves when the text is written, or when the program can no longer read it. */
  write(text: string): Promise<void>
}

/** Starts a program, here or on another machine. If that fails, returns a child that has already exited, with the reason. */
export type StartProgram = (options: ChildOptions) => Child

/** Pieces of a log for one reader. Text that is not read in time is dropped and counted. */
export interface LogPieces extends AsyncIterable<string> {
  add(text: string): void
  end(): void
}

/** How a process ended, and why if that is known. */
export interface Exit {
  readonly code: number | null
  readonly signal: string | null
  readonly reason: string | null
  /** A sentence about the exit with advice, if more is known than the code and the reason. */
  readonly sentence?: string
}
