import * as z from 'zod/mini'
import { modelSettingsSchema, type ModelSettings } from '../../agents/model/about.ts'
import { strategiesSchema, type StrategySettings } from '../../sessions/strategies/configure-strategies.ts'
import { pricesSchema, type PriceSettings } from '../../prices/price-settings.ts'
import { remoteSettingsSchema, type RemoteSettings } from '../../agents/remote/about.ts'

const word = (message: string) => z.string(message).check(z.minLength(1, message))
const whole = (message: string, least: number, most = Number.MAX_SAFE_INTEGER) =>
  z.int(message).check(z.gte(least, message), z.lte(most, message))
const fromZero = 'a number of minutes, 0 or more'
/** Node's timers end at about 24 days. */
const mostMinutes = 30_000
const aboveZero = `a number of minutes above 0, up to ${mostMinutes}`
const token = 'at least 16 visible ASCII characters, without spaces'
const routes = 'an object that maps the first word of a prompt to an agent, as in {"@codex": "codex"}'
const agents = 'agents by name; a name has only letters, digits, "-" and "_"'
const hosts = 'host names of this machine, with or without a port'

const profiles = ['off', 'lossless', 'safe', 'balanced', 'aggressive'] as const

const anAgent = z.discriminatedUnion('kind', [remoteSettingsSchema, modelSettingsSchema], {
  error: 'an agent whose "kind" is "remote" or "model"',
})

/** Every setting. The text of each describes valid values, and follows "must be". */
export const configurationSchema = z.strictObject({
  data: z.optional(word('the path of a folder')),
  agent: z.optional(word('the name of an agent')),
  durability: z.optional(z.enum(['full', 'fast'], '"full" or "fast"')),
  maxRunning: z.optional(whole('a whole number, 1 or more', 1)),
  idleMinutes: z.optional(z.number(fromZero).check(z.gte(0, fromZero))),
  approvalMinutes: z.optional(z.number(aboveZero).check(z.gt(0, aboveZero), z.lte(mostMinutes, aboveZero))),
  port: z.optional(whole('a port from 0 to 65535 (0 picks a free one)', 0, 65_535)),
  host: z.optional(word('the host name or address to listen on')),
  token: z.optional(z.string(token).check(z.regex(/^[\x21-\x7e]{16,1000}$/, token))),
  roots: z.optional(
    z.array(word('paths of folders'), 'paths of folders').check(z.minLength(1, 'paths of folders')),
  ),
  allowHosts: z.optional(
    z.array(z.string(hosts).check(z.regex(/^(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?$/i, hosts)), hosts),
  ),
  routes: z.optional(z.record(z.string().check(z.regex(/^\S{1,100}$/, routes)), word(routes), routes)),
  agents: z.optional(z.record(z.string().check(z.regex(/^[\w-]{1,64}$/, agents)), anAgent, agents)),
  open: z.optional(z.boolean('true or false')),
  log: z.optional(z.enum(['json', 'human'], '"json" or "human"')),
  context: z.optional(z.enum(profiles, profiles.map(name => `"${name}"`).join(', '))),
  strategies: z.optional(strategiesSchema),
  prices: z.optional(pricesSchema),
  followTranscripts: z.optional(z.boolean('true or false')),
})

/** All settings, each with a value. */
export interface Configuration {
  /** The data folder. */
  readonly data: string
  /** Null for the best agent that is ready. */
  readonly agent: string | null
  readonly durability: 'full' | 'fast'
  readonly maxRunning: number
  readonly idleMinutes: number
  /** How long an approval may wait before it is denied. */
  readonly approvalMinutes: number
  /** Null for 4400, or the next free port. */
  readonly port: number | null
  readonly host: string
  /** The API token; null for the one in the data folder. */
  readonly token: string | null
  /** The folders that agents may work in; null for the defaults. */
  readonly roots: readonly string[] | null
  /** More host names of the server. */
  readonly allowHosts: readonly string[]
  /** The agents that get prompts which start with these words. */
  readonly routes: Readonly<Record<string, string>>
  /** Agents on other machines, and models, by name. */
  readonly agents: Readonly<Record<string, AgentSettings>>
  /** Whether a browser is opened. */
  readonly open: boolean
  /** The format of the server's log; null to choose by the output. */
  readonly log: 'json' | 'human' | null
  /** How much to trim the context, unless the session sets it. Null for what was chosen in the app. */
  readonly context: (typeof profiles)[number] | null
  /** Rules for earlier results, in addition to the defaults. */
  readonly strategies: readonly StrategySettings[]
  /** Prices of models that replace those of the price table. */
  readonly prices: PriceSettings
  /** Whether sessions are followed while agents write them in their own terminals; null to begin after the first import. */
  readonly followTranscripts: boolean | null
}

/** The settings of one added agent. */
export type AgentSettings = RemoteSettings | ModelSettings | WrongSettings

/** An agent with invalid settings, and the reason. Other agents still work. Files cannot contain this kind. */
export interface WrongSettings {
  readonly kind: 'wrong'
  readonly why: string
}

/** A setting that options and the environment can set, too. */
export type Key = Exclude<keyof Configuration, 'agents' | 'strategies' | 'prices'>

/** The option and the variable of a setting, and how its text is parsed. */
export interface KeyPlace {
  readonly variable: string
  readonly flag: string
  /** Lists of paths use the system's separator, other lists and pairs use commas. */
  readonly kind: 'text' | 'number' | 'truth' | 'path' | 'paths' | 'names' | 'pairs'
}

/** The option and the variable of each setting. */
export const keys: { readonly [Name in Key]: KeyPlace } = {
  data: { variable: 'DRAGOMAN_DATA', flag: 'data', kind: 'path' },
  agent: { variable: 'DRAGOMAN_AGENT', flag: 'agent', kind: 'text' },
  durability: { variable: 'DRAGOMAN_DURABILITY', flag: 'durability', kind: 'text' },
  maxRunning: { variable: 'DRAGOMAN_MAX_RUNNING', flag: 'max-running', kind: 'number' },
  idleMinutes: { variable: 'DRAGOMAN_IDLE_MINUTES', flag: 'idle-minutes', kind: 'number' },
  approvalMinutes: { variable: 'DRAGOMAN_APPROVAL_MINUTES', flag: 'approval-minutes', kind: 'number' },
  port: { variable: 'DRAGOMAN_PORT', flag: 'port', kind: 'number' },
  host: { variable: 'DRAGOMAN_HOST', flag: 'host', kind: 'text' },
  token: { variable: 'DRAGOMAN_TOKEN', flag: 'token', kind: 'text' },
  roots: { variable: 'DRAGOMAN_ROOTS', flag: 'root', kind: 'paths' },
  allowHosts: { variable: 'DRAGOMAN_ALLOW_HOSTS', flag: 'allow-host', kind: 'names' },
  routes: { variable: 'DRAGOMAN_ROUTES', flag: 'route', kind: 'pairs' },
  open: { variable: 'DRAGOMAN_OPEN', flag: 'open', kind: 'truth' },
  log: { variable: 'DRAGOMAN_LOG', flag: 'log', kind: 'text' },
  context: { variable: 'DRAGOMAN_CONTEXT', flag: 'context', kind: 'text' },
  followTranscripts: {
    variable: 'DRAGOMAN_FOLLOW_TRANSCRIPTS',
    flag: 'follow-transcripts',
    kind: 'truth',
  },
}
