import * as z from 'zod/mini'
import { checkInput, optionsOf } from '../../protocol/check-input.ts'
import type { Json } from '../../protocol/json.ts'
import type { ForkPoint } from '../agent.ts'
import { checkOptions, contextOption, declareOptions, effortLabels, option } from '../kit/declare-options.ts'

const word = z.string().check(z.minLength(1))
const words = z.array(word)
const models = ['opus', 'sonnet', 'haiku', 'fable']

const optionsSchema = z.looseObject({
  model: option(word, {
    title: 'Model',
    description: 'A name of Claude Code, such as "opus", or the full name of a model.',
    examples: models,
    'x-place': 'bar',
    'x-keeps-rules': true,
  }),
  permissionMode: option(z.enum(['default', 'acceptEdits', 'plan', 'dontAsk', 'auto', 'bypassPermissions']), {
    title: 'Permission mode',
    description: 'Which tool calls need your approval.',
    'x-place': 'bar',
    'x-keeps-rules': true,
    'x-labels': {
      default: 'Ask before changes',
      acceptEdits: 'Accept edits',
      plan: 'Plan only',
      dontAsk: 'Deny without asking',
      auto: 'Decided by a model',
      bypassPermissions: 'Bypass permissions',
    },
    'x-risks': {
      acceptEdits: 'Claude Code edits files in the folder without asking.',
      auto: 'A model of Anthropic decides which tool calls run without asking.',
      bypassPermissions: 'Claude Code runs every command and edits every file without asking.',
    },
  }),
  effort: option(z.enum(['low', 'medium', 'high', 'xhigh', 'max']), {
    title: 'Effort',
    description: 'How much the model thinks. More effort costs more tokens and time.',
    'x-place': 'bar',
    'x-keeps-rules': true,
    'x-labels': effortLabels,
  }),
  fallbackModel: option(word, {
    title: 'Fallback model',
    description: 'The model to use while the first one is overloaded.',
    examples: models,
    'x-keeps-rules': true,
  }),
  appendSystemPrompt: option(z.string(), {
    title: 'More instructions',
    description: 'Text that follows the system prompt of Claude Code.',
    'x-keeps-rules': true,
  }),
  maxBudget: option(z.number().check(z.positive()), {
    title: 'Budget in dollars',
    description: 'Claude Code stops when its process has cost this much.',
    'x-keeps-rules': true,
  }),
  context: contextOption('history'),
  allowedTools: option(words, {
    title: 'Allowed tools',
    description: 'Tools that run without asking, such as "Bash(git log:*)".',
    'x-place': 'advanced',
  }),
  disallowedTools: option(words, {
    title: 'Disallowed tools',
    description: 'Tools that Claude Code may not use.',
    'x-place': 'advanced',
  }),
  directories: option(words, {
    title: 'More folders',
    description: 'Full paths of folders that its tools may use, in addition to the folder of the session.',
    'x-place': 'advanced',
  }),
  settingSources: option(z.array(z.enum(['user', 'project', 'local'])), {
    title: 'Settings files',
    description: 'Which settings of Claude Code it reads: yours, those of the project, or both.',
    'x-place': 'advanced',
  }),
  systemPrompt: option(z.string(), {
    title: 'System prompt',
    description: 'Replaces the system prompt of Claude Code.',
    'x-place': 'advanced',
    'x-keeps-rules': true,
  }),
  resume: option(z.uuid(), {
    title: 'Continue a session',
    description: 'The ID of a session of Claude Code to start from.',
    'x-place': 'advanced',
    'x-new': true,
  }),
  fork: option(z.boolean(), {
    title: 'Continue a copy',
    description: 'With "resume": that session stays unchanged.',
    'x-place': 'advanced',
    'x-new': true,
  }),
})

/** The options as a JSON schema. */
export const declared = declareOptions(optionsSchema)

/** Checks the options of a new session. */
export const check = (options: Json): void => void checkOptions(optionsSchema, options, 'Claude Code')

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
