import type { ExitCode, Shell } from './shell.ts'

/** An option of a command. */
export interface Flag {
  readonly type: 'string' | 'boolean'
  /** Whether it may be used several times. */
  readonly multiple?: boolean
  /** The name of its value in the help, in capitals. */
  readonly value?: string
  readonly help: string
}

/** The options of a command, by name. */
export type Flags = Readonly<Record<string, Flag>>

/** The values that were given to options. */
export type FlagValues<Known extends Flags> = {
  readonly [Name in keyof Known]?: FlagValue<Known[Name]>
}

type FlagValue<Known extends Flag> = Known['type'] extends 'boolean'
  ? boolean
  : Known extends { readonly multiple: true }
    ? readonly string[]
    : string

/** The parsed arguments of a command. */
export interface Given<Known extends Flags> {
  readonly flags: FlagValues<Known>
  readonly operands: readonly string[]
}

/** One command of the command line. */
export interface Command<Known extends Flags = Flags> {
  readonly name: string
  /** The operands in capitals, as in the help; an optional one is in brackets, several of one kind are `[ID …]`. */
  readonly operands: readonly string[]
  /** What it does, for people, in a few lines. */
  readonly about: string
  readonly flags: Known
  run(given: Given<Known>, shell: Shell): Promise<ExitCode>
}

/** Declares a command, so that the types of its options are known to `run`. */
export const defineCommand = <const Known extends Flags>(command: Command<Known>): Command<Known> => command
