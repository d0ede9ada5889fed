import type { Json } from '../../protocol/json.ts'
import type { Op } from '../kit/parts.ts'
import { withExitCode } from './failure.ts'
import type { Live } from './live-output.ts'
import {
  asObject,
  listOf,
  objectOf,
  textOf,
  textOrNull,
  without,
  wordsIn,
  type Fields,
} from '../kit/fields.ts'

/** The tool and the input of an item that is a tool call. */
export interface Called {
  readonly tool: string
  readonly input: Json
}

interface ToolKind {
  readonly called: (item: Fields) => Called
  /** Why it failed; null if it did not. */
  readonly failure: (item: Fields, live: Live | undefined) => string | null
  readonly output: (item: Fields, live: Live | undefined) => Json
}

const frame = ['type', 'id', 'startedAtMs', 'completedAtMs', 'status', 'durationMs']
const outcomes = new Set([
  ...frame,
  'aggregatedOutput',
  'exitCode',
  'processId',
  'results',
  'result',
  'failure',
])
const notDone = new Set(['failed', 'declined', 'interrupted', 'errored'])

const plain = (tool: string): ToolKind => ({
  called: item => ({ tool, input: without(item, outcomes) }),
  failure: item => (isNotDone(item) ? reasonOf(item) : null),
  output: item => pick(item, ['status', 'results', 'durationMs', 'savedPath']),
})

const collabOutcomes = new Set([...frame, 'tool', 'agentsStates'])
const spawnOutcomes = new Set([...collabOutcomes, 'receiverThreadIds'])

const kinds: Readonly<Record<string, ToolKind>> = {
  commandExecution: {
    ...plain('commandExecution'),
    failure: (item, live) => (isNotDone(item) ? failureOfCommand(item, live) : null),
    output: (item, live) => ({
      output: item['aggregatedOutput'] ?? null,
      ...pick(item, ['exitCode', 'status', 'durationMs']),
      ...typedInto(live),
    }),
  },
  fileChange: {
    ...plain('fileChange'),
    failure: item => (isNotDone(item) ? (declined(item) ?? 'The patch was not applied.') : null),
  },
  mcpToolCall: {
    called: item => ({
      tool: `mcp__${textOf(item, 'server')}__${textOf(item, 'tool')}`,
      input: item['arguments'] ?? null,
    }),
    failure: item => (isNotDone(item) || item['error'] ? failureOfMcp(item) : null),
    output: item => item['result'] ?? null,
  },
  dynamicToolCall: {
    called: item => ({ tool: fullName(item, 'tool'), input: item['arguments'] ?? null }),
    failure: item =>
      isNotDone(item) || item['success'] === false
        ? wordsIn(listOf(item, 'contentItems')) || 'The tool failed.'
        : null,
    output: item => pick(item, ['contentItems', 'success']),
  },
  collabAgentToolCall: {
    called: item => ({
      tool: textOf(item, 'tool') || 'collabAgentToolCall',
      input: without(item, textOf(item, 'tool') === 'spawnAgent' ? spawnOutcomes : collabOutcomes),
    }),
    failure: item => (isNotDone(item) ? reasonOf(item) : null),
    output: item => pick(item, ['receiverThreadIds', 'agentsStates', 'status']),
  },
  functionCallOutput: {
    called: item => ({ tool: fullName(item, 'name'), input: null }),
    failure: () => null,
    output: item => item['output'] ?? null,
  },
  webSearch: plain('webSearch'),
  imageView: plain('imageView'),
  imageGeneration: plain('imageGeneration'),
  sleep: plain('sleep'),
  subAgentActivity: plain('subAgentActivity'),
}

/** The tool call in an item; null if the item is not a tool call. */
export function calledBy(item: Fields): Called | null {
  return kinds[textOf(item, 'type')]?.called(item) ?? null
}

/** Whether the call may need approval before it runs, so that its input must stay as it was approved. */
export function isAskable(item: Fields): boolean {
  return askable.has(textOf(item, 'type'))
}

const askable = new Set(['commandExecution', 'fileChange', 'mcpToolCall'])

/** How a call ended. */
export function outcomeOf(item: Fields, call: string, live: Live | undefined): Op {
  const kind = kinds[textOf(item, 'type')]
  const error = kind?.failure(item, live) ?? null
  if (error !== null) return { type: 'failure', call, error }
  return { type: 'result', call, output: kind?.output(item, live) ?? null }
}

function isNotDone(item: Fields): boolean {
  return notDone.has(textOf(item, 'status'))
}

function declined(item: Fields): string | null {
  return textOf(item, 'status') === 'declined' ? 'Declined.' : null
}

/** Codex reports a command with an exit code other than 0 as failed, and so do we. */
function failureOfCommand(item: Fields, live: Live | undefined): string {
  const refused = declined(item)
  if (refused !== null) return refused
  const output = textOrNull(item, 'aggregatedOutput') ?? live?.text ?? ''
  return withExitCode(output, typeof item['exitCode'] === 'number' ? item['exitCode'] : null)
}

function failureOfMcp(item: Fields): string {
  const result = objectOf(item, 'result')
  const text = wordsIn(listOf(result, 'content'))
  return textOf(objectOf(item, 'error'), 'message') || text || 'The tool failed.'
}

function reasonOf(item: Fields): string {
  const states = Object.values(objectOf(item, 'agentsStates'))
  const messages = states.map(state => textOf(asObject(state), 'message')).filter(text => text !== '')
  const failure = textOf(objectOf(item, 'failure'), 'message')
  return failure || messages.join('\n') || declined(item) || 'It failed.'
}

function fullName(item: Fields, name: string): string {
  const namespace = textOf(item, 'namespace')
  return namespace === '' ? textOf(item, name) : `${namespace}__${textOf(item, name)}`
}

function typedInto(live: Live | undefined): Fields {
  return live && live.typed.length > 0 ? { stdin: live.typed } : {}
}

function pick(item: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.flatMap(name => (name in item ? [[name, item[name] ?? null]] : [])))
}
