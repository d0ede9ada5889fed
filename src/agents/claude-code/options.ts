import * as z from 'zod/mini'
import { checkInput, optionsOf } from '../../protocol/check-input.ts'
import type { Json } from '../../protocol/json.ts'
import type { ForkPoint } from '../agent.ts'

const names = z.array(z.string().check(z.minLength(1)))

const optionsSchema = z.looseObject({
  model: z.optional(z.string().check(z.minLength(1))),
  fallbackModel: z.optional(z.string().check(z.minLength(1))),
  permissionMode: z.optional(
    z.enum(['default', 'acceptEdits', 'plan', 'dontAsk', 'auto', 'bypassPermissions']),
  ),
  effort: z.optional(z.enum(['low', 'medium', 'high', 'xhigh', 'max'])),
  /** A session of Claude Code to begin from, where ours has none yet; with `fork` it stays unchanged. */
  resume: z.optional(z.uuid()),
  fork: z.optional(z.boolean()),
  systemPrompt: z.optional(z.string()),
  appendSystemPrompt: z.optional(z.string()),
  allowedTools: z.optional(names),
  disallowedTools: z.optional(names),
  directories: z.optional(names),
  settingSources: z.optional(z.array(z.enum(['user', 'project', 'local']))),
  maxBudget: z.optional(z.number().check(z.positive())),
  /** How much may be left out of its history when it is resumed. */
  context: z.optional(z.enum(['off', 'lossless', 'safe', 'balanced', 'aggressive'])),
})

type Options = z.infer<typeof optionsSchema>

/** The checked options of a session. They cannot name a program: a user who may prompt may not choose it. */
export function readOptions(options: Json): Options {
  return checkInput(optionsSchema, options ?? {}, optionsOf('Claude Code'))
}

const protocolFlags = [
  '--print',
  '--input-format=stream-json',
  '--output-format=stream-json',
  '--verbose',
  '--include-partial-messages',
  '--forward-subagent-text',
  '--replay-user-messages',
  '--permission-prompt-tool=stdio',
]

/** The command line of a connection. Values follow an equals sign, so that none is read as a flag. */
export function argumentsOf(
  options: Options,
  resume: string | null,
  copy: ForkPoint | null = null,
): readonly string[] {
  const { permissionMode = 'default' } = options
  return [
    ...protocolFlags,
    `--permission-mode=${permissionMode}`,
    ...(permissionMode === 'bypassPermissions' ? ['--allow-dangerously-skip-permissions'] : []),
    ...beginningOf(options, resume, copy),
    ...flag('model', options.model),
    ...flag('fallback-model', options.fallbackModel),
    ...flag('effort', options.effort),
    ...flag('system-prompt', options.systemPrompt),
    ...flag('append-system-prompt', options.appendSystemPrompt),
    ...flag('allowed-tools', options.allowedTools?.join(',')),
    ...flag('disallowed-tools', options.disallowedTools?.join(',')),
    ...(options.directories ?? []).flatMap(directory => flag('add-dir', directory)),
    ...flag('setting-sources', options.settingSources?.join(',')),
    ...flag('max-budget-usd', options.maxBudget?.toString()),
  ]
}

/** Our own session continues; only a new one can begin as a fork. */
function beginningOf(options: Options, resume: string | null, copy: ForkPoint | null): readonly string[] {
  if (resume !== null) return [`--resume=${resume}`]
  if (copy !== null)
    return [`--resume=${copy.agentSession}`, '--fork-session', `--resume-session-at=${copy.last}`]
  const { resume: from, fork = false } = options
  return from === undefined ? [] : [`--resume=${from}`, ...(fork ? ['--fork-session'] : [])]
}

function flag(name: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [`--${name}=${value}`]
}
