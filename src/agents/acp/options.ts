import * as z from 'zod/mini'
import { checkInput, optionsOf } from '../../protocol/check-input.ts'
import { DragomanError } from '../../protocol/error.ts'
import type { Json } from '../../protocol/json.ts'
import type { Tested } from '../kit/readiness.ts'
import { presetNames, presets, type Preset, type PresetName } from './presets.ts'

const json = z.custom<Json>(value => value !== undefined)

const optionsSchema = z.looseObject({
  /** One of the known agents, instead of a command. */
  preset: z.optional(z.enum(presetNames as readonly [PresetName, ...PresetName[]])),
  command: z.optional(z.string().check(z.minLength(1))),
  args: z.optional(z.array(z.string())),
  /** Environment variables for it. */
  env: z.optional(z.record(z.string(), z.string())),
  /** Names of our own environment variables that it gets. */
  inherit: z.optional(z.array(z.string())),
  /** The newest protocol version to offer. */
  protocol: z.optional(z.union([z.literal(1), z.literal(2)])),
  /** The login method to request, for agents that require it. */
  auth: z.optional(z.string()),
  mode: z.optional(z.string()),
  model: z.optional(z.string()),
  /** Values for its options, by their ids. */
  config: z.optional(z.record(z.string(), z.union([z.string(), z.boolean()]))),
  mcpServers: z.optional(z.array(json)),
  /** Whether to offer that we read and write files for it; some agents work worse then. */
  files: z.optional(z.boolean()),
  /** Whether to offer that we run commands for it. */
  terminals: z.optional(z.boolean()),
  /** How long it may take to get ready, in milliseconds. */
  startMs: z.optional(z.number().check(z.positive())),
})

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
