import * as z from 'zod/mini'
import { checkInput, optionsOf } from '../../protocol/check-input.ts'
import { DragomanError } from '../../protocol/error.ts'
import type { Json } from '../../protocol/json.ts'
import { checkOptions, declareOptions, option } from '../kit/declare-options.ts'
import type { Tested } from '../kit/readiness.ts'
import { presetNames, presets, type Preset, type PresetName } from './presets.ts'

const json = z.custom<Json>(value => value !== undefined)

/** The options that choose a program. Another program cannot continue a session. */
const program = {
  preset: option(z.enum(presetNames as readonly [PresetName, ...PresetName[]]), {
    title: 'Agent',
    description: 'One of the known agents, instead of a command.',
    'x-labels': Object.fromEntries(presetNames.map(name => [name, presets[name].title])),
    'x-new': true,
  }),
  command: option(z.string().check(z.minLength(1)), {
    title: 'Command',
    description: 'The program to start, if it is not one of the known agents. It runs with your rights.',
    'x-new': true,
  }),
  args: option(z.array(z.string()), {
    title: 'Arguments',
    description: 'The arguments of the command.',
    'x-place': 'advanced',
    'x-new': true,
  }),
}

/** The options of an agent that is always the same program. */
export const ownOptions = {
  env: option(z.record(z.string(), z.string()), {
    title: 'Environment variables',
    description: 'Variables for the agent. They are stored in plain text: do not put secrets here.',
    'x-place': 'advanced',
    'x-new': true,
  }),
  inherit: option(z.array(z.string()), {
    title: 'Inherited variables',
    description: 'Names of variables of the server that the agent gets. This is the way to give it a key.',
    'x-place': 'advanced',
    'x-new': true,
  }),
  protocol: option(z.union([z.literal(1), z.literal(2)]), {
    title: 'Protocol version',
    description: 'The newest version of ACP to offer.',
    'x-place': 'advanced',
    'x-new': true,
  }),
  auth: option(z.string(), {
    title: 'Login method',
    description: 'The login method to request, for agents that require it.',
    'x-place': 'advanced',
    'x-new': true,
  }),
  model: option(z.string(), {
    title: 'Model',
    description: 'The name of a model, as the agent writes it.',
    'x-place': 'bar',
    'x-keeps-rules': true,
  }),
  mode: option(z.string(), {
    title: 'Permission mode',
    description: 'A mode of the agent. It decides which tool calls need your approval.',
    examples: ['default', 'plan'],
    'x-place': 'bar',
    'x-keeps-rules': true,
  }),
  config: option(z.record(z.string(), z.union([z.string(), z.boolean()])), {
    title: 'Settings of the agent',
    description: 'Values for the options that the agent itself has, by their IDs.',
    'x-place': 'advanced',
  }),
  mcpServers: option(z.array(json), {
    title: 'MCP servers',
    description: 'Servers with tools for the agent. They are stored in plain text: do not put secrets here.',
    'x-place': 'advanced',
  }),
  files: option(z.boolean(), {
    title: 'Offer files',
    description: 'Whether Dragoman reads and writes files for the agent. Some agents work worse then.',
    'x-place': 'advanced',
  }),
  terminals: option(z.boolean(), {
    title: 'Offer terminals',
    description: 'Whether Dragoman runs commands for the agent.',
    'x-place': 'advanced',
  }),
  startMs: option(z.number().check(z.positive()), {
    title: 'Time to start',
    description: 'How long the agent may take to start, in milliseconds.',
    'x-place': 'advanced',
  }),
}

const optionsSchema = z.looseObject({ ...program, ...ownOptions })

/** The options as a JSON schema. */
export const declared = declareOptions(optionsSchema)

/** How an agent is started and connected. */
export interface Settings extends Pick<Preset, 'title' | 'command' | 'args' | 'inherit'> {
  readonly env: Readonly<Record<string, string>>
  readonly protocol: 1 | 2
  readonly auth: string | null
  readonly mode: string | null
  readonly model: string | null
  readonly config: Readonly<Record<string, string | boolean>>
  readonly mcpServers: readonly Json[]
  readonly files: boolean
  readonly terminals: boolean
  /** Null for the default. */
  readonly startMs: number | null
  readonly install: string | null
  readonly tested: Tested | null
}

/** Checks the options of a new session. */
export function check(options: Json): void {
  checkOptions(optionsSchema, options, 'the ACP agent')
  readSettings(options)
}

/** Reads the options of a session. A preset fills in what they leave out. */
export function readSettings(options: Json, fallback?: PresetName): Settings {
  const agent = fallback === undefined ? 'the ACP agent' : presets[fallback].title
  const given = checkInput(optionsSchema, options ?? {}, optionsOf(agent))
  const name = given.preset ?? fallback
  return { ...launchOf(given, name && presets[name]), ...mannerOf(given) }
}

type GivenOptions = z.infer<typeof optionsSchema>

function launchOf(given: GivenOptions, preset: Preset = unnamed) {
  const { command = preset.command } = given
  if (command === '')
    throw invalid(
      `No agent chosen. Set its command in the option "command", or choose a preset with the option "preset": ${presetNames.join(', ')}.`,
    )
  const isOwn = preset.install === '' || given.command !== undefined
  return {
    title: preset.title === '' ? command : preset.title,
    command,
    args: given.args ?? preset.args,
    env: { ...preset.env, ...given.env },
    inherit: [...preset.inherit, ...(given.inherit ?? [])],
    install: isOwn ? null : preset.install,
    tested: isOwn ? null : preset.tested,
  }
}

const unnamed: Preset = {
  title: '',
  command: '',
  args: [],
  inherit: [],
  install: '',
  tested: { from: '', below: '' },
}

function mannerOf(given: GivenOptions) {
  return {
    protocol: given.protocol ?? 1,
    auth: given.auth ?? null,
    mode: given.mode ?? null,
    model: given.model ?? null,
    config: given.config ?? {},
    mcpServers: given.mcpServers ?? [],
    files: given.files ?? false,
    terminals: given.terminals ?? false,
    startMs: given.startMs ?? null,
  }
}

const invalid = (message: string) => new DragomanError('invalid-input', message)
