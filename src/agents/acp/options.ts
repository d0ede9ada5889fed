import * as z from 'zod/mini'
import { checkInput, optionsOf } from '../../protocol/check-input.ts'
import { DragomanError } from '../../protocol/error.ts'
import type { Json } from '../../protocol/json.ts'
import type { Tested } from '../kit/readiness.ts'
import { presetNames, presets, type Preset, type PresetName } from './presets.ts'

const json = z.custom<Json>(value => value !== undefined)

const optionsSchema = z.looseObject({
  /** One of the agents that are known, in place of a command. */
  preset: z.optional(z.enum(presetNames as readonly [PresetName, ...PresetName[]])),
  command: z.optional(z.string().check(z.minLength(1))),
  args: z.optional(z.array(z.string())),
  /** Environment variables for it. */
  env: z.optional(z.record(z.string(), z.string())),
  /** Names of our own environment variables that it may know. */
  inherit: z.optional(z.array(z.string())),
  /** The newest version of the protocol to speak with it. */
  protocol: z.optional(z.union([z.literal(1), z.literal(2)])),
  /** The method by which it is told to log in, where it must be told. */
  auth: z.optional(z.string()),
  mode: z.optional(z.string()),
  model: z.optional(z.string()),
  /** Values for its options, by their ids. */
  config: z.optional(z.record(z.string(), z.union([z.string(), z.boolean()]))),
  mcpServers: z.optional(z.array(json)),
  /** Whether it is told that we read and write files for it; some agents work worse then. */
  files: z.optional(z.boolean()),
  /** Whether it is told that we run commands for it. */
  terminals: z.optional(z.boolean()),
  /** How long it may take to be ready, in milliseconds. */
  startMs: z.optional(z.number().check(z.positive())),
})

/** How one agent is started and spoken to. */
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
  /** Null for as long as is usual. */
  readonly startMs: number | null
  readonly install: string | null
  readonly tested: Tested | null
}

/** Reads what a session was created with. A preset fills in what is not said. */
export function readSettings(options: Json, fallback?: PresetName): Settings {
  const agent = fallback === undefined ? 'the ACP agent' : presets[fallback].title
  const told = checkInput(optionsSchema, options ?? {}, optionsOf(agent))
  const name = told.preset ?? fallback
  return { ...launchOf(told, name && presets[name]), ...mannerOf(told) }
}

type Told = z.infer<typeof optionsSchema>

function launchOf(told: Told, preset: Preset = unnamed) {
  const { command = preset.command } = told
  if (command === '')
    throw invalid(
      `No agent chosen. Set its command in the option "command", or choose a preset with the option "preset": ${presetNames.join(', ')}.`,
    )
  const isOwn = preset.install === '' || told.command !== undefined
  return {
    title: preset.title === '' ? command : preset.title,
    command,
    args: told.args ?? preset.args,
    env: { ...preset.env, ...told.env },
    inherit: [...preset.inherit, ...(told.inherit ?? [])],
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

function mannerOf(told: Told) {
  return {
    protocol: told.protocol ?? 1,
    auth: told.auth ?? null,
    mode: told.mode ?? null,
    model: told.model ?? null,
    config: told.config ?? {},
    mcpServers: told.mcpServers ?? [],
    files: told.files ?? false,
    terminals: told.terminals ?? false,
    startMs: told.startMs ?? null,
  }
}

const invalid = (message: string) => new DragomanError('invalid-input', message)
