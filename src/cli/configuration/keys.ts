import * as z from 'zod/mini'
import type { Flags } from '../command.ts'

const word = (message: string) => z.string(message).check(z.minLength(1, message))
const amount = (message: string, least: number) => z.number(message).check(z.gte(least, message))

/** Every setting. The text after each says what it must be, to follow "must be". */
export const configurationSchema = z.strictObject({
  data: z.optional(word('the path of a folder')),
  agent: z.optional(word('the name of an agent')),
  durability: z.optional(z.enum(['full', 'fast'], '"full" or "fast"')),
  maxRunning: z.optional(z.int('a whole number from 1').check(z.gte(1, 'a whole number from 1'))),
  idleMinutes: z.optional(amount('a number of minutes from 0', 0)),
})

/** All settings, each with a value. */
export interface Configuration {
  /** The data folder. */
  readonly data: string
  readonly agent: string
  readonly durability: 'full' | 'fast'
  readonly maxRunning: number
  readonly idleMinutes: number
}

/** The name of a setting, as it stands in a file. */
export type Key = keyof Configuration

/** Where each setting is found outside of files. */
export const keys: { readonly [Name in Key]: { readonly variable: string; readonly flag: string } } = {
  data: { variable: 'DRAGOMAN_DATA', flag: 'data' },
  agent: { variable: 'DRAGOMAN_AGENT', flag: 'agent' },
  durability: { variable: 'DRAGOMAN_DURABILITY', flag: 'durability' },
  maxRunning: { variable: 'DRAGOMAN_MAX_RUNNING', flag: 'max-running' },
  idleMinutes: { variable: 'DRAGOMAN_IDLE_MINUTES', flag: 'idle-minutes' },
}

/** The options of every command that looks into the data folder. */
export const folderFlags = {
  data: { type: 'string', value: 'DIR', help: 'the data folder (DRAGOMAN_DATA)' },
  config: { type: 'string', value: 'FILE', help: 'a file with settings (DRAGOMAN_CONFIG)' },
  json: { type: 'boolean', help: 'print JSON, one value per line' },
} as const satisfies Flags

/** The options of commands under which agents may run. */
export const runningFlags = {
  durability: {
    type: 'string',
    value: 'full|fast',
    help: 'what saved means: survives a power cut, or a crash only (DRAGOMAN_DURABILITY)',
  },
  'max-running': {
    type: 'string',
    value: 'N',
    help: 'how many agents may run at once (DRAGOMAN_MAX_RUNNING)',
  },
  'idle-minutes': {
    type: 'string',
    value: 'N',
    help: 'how long an agent may do nothing before it is closed (DRAGOMAN_IDLE_MINUTES)',
  },
} as const satisfies Flags
