import { asObject } from '../../protocol/json.ts'
import type { ToolFamily } from '../../protocol/known-tools.ts'
import type { SomeCall } from '../../protocol/tool-call/call.ts'
import { commandOf } from '../../protocol/tool-call/command.ts'
import { short } from './short.ts'
import type { Parameters } from './work-facts.ts'

/**
 * Which parameters are shown, by what a tool is for. What is not here is never shown: contents, prompts, and the
 * parameters of unknown tools.
 */
const shown: Readonly<Record<ToolFamily, readonly string[]>> = {
  read: [
    'file_path',
    'filePath',
    'path',
    'absolute_path',
    'offset',
    'limit',
    'start_line',
    'end_line',
    'from',
    'to',
    'pages',
  ],
  write: ['file_path', 'filePath', 'path'],
  edit: ['file_path', 'filePath', 'path', 'replace_all', 'replaceAll', 'allow_multiple'],
  list: ['pattern', 'path', 'dir_path', 'filePath', 'recursive'],
  search: ['pattern', 'query', 'path', 'dir_path', 'glob', 'include', 'type', 'output_mode', '-i'],
  run: ['command', 'cwd', 'workdir', 'timeout', 'run_in_background', 'is_background', 'description'],
  watch: ['bash_id', 'shell_id', 'task_id', 'session_id', 'filter'],
  fetch: ['url'],
  'web-search': ['query'],
  todo: [],
  task: ['taskId', 'subject', 'status'],
  plan: ['title'],
  ask: ['question'],
  delegate: ['subagent_type', 'agent', 'agent_name', 'description', 'model', 'run_in_background'],
  helper: [],
  skill: ['skill', 'name'],
  recall: ['partId', 'part'],
  other: [],
}

/** The key parameters of a call: few, short, and without secrets. */
export function parametersOf(call: SomeCall, family: ToolFamily): Parameters {
  const fields = asObject(call.input)
  const command = commandOf(call)?.command
  const parameters: [string, string | number | boolean][] = []
  for (const name of shown[family]) {
    const value = name === 'command' ? command : Object.hasOwn(fields, name) ? fields[name] : undefined
    if (typeof value === 'string') parameters.push([name, short(value, 200)])
    if (typeof value === 'number' || typeof value === 'boolean') parameters.push([name, value])
  }
  return Object.fromEntries(parameters)
}
