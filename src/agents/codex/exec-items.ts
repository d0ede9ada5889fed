import type { Json } from '../../protocol/json.ts'
import { asObject, listOf, textOf, type Fields } from '../kit/fields.ts'

/** An item of `codex exec --json` as the item of the app-server that it stands for; one of an unknown kind stays as it is. */
export function itemMeant(item: Fields, id: string): Fields {
  const kind = kinds.get(textOf(item, 'type'))
  if (kind === undefined) return { ...item, id }
  const status = 'status' in item ? { status: camel(textOf(item, 'status')) } : {}
  return { ...renamed(item), ...status, ...kind.told?.(item), type: kind.type, id }
}

interface Kind {
  readonly type: string
  /** What the app-server tells in another way, beside other names. */
  readonly told?: (item: Fields) => Fields
}

const kinds: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['agent_message', { type: 'agentMessage' }],
  ['plan', { type: 'plan' }],
  ['reasoning', { type: 'reasoning', told: item => ({ summary: [textOf(item, 'text')] }) }],
  ['command_execution', { type: 'commandExecution' }],
  ['file_change', { type: 'fileChange', told: item => ({ changes: listOf(item, 'changes').map(change) }) }],
  ['mcp_tool_call', { type: 'mcpToolCall', told: item => ({ result: renamedIn(item['result']) }) }],
  ['web_search', { type: 'webSearch', told: item => ('action' in item ? { action: action(item) } : {}) }],
  [
    'collab_tool_call',
    { type: 'collabAgentToolCall', told: item => ({ tool: camel(textOf(item, 'tool')) }) },
  ],
])

/** The app-server has an object for the kind, since a file may be moved, too. */
function change(told: Json): Json {
  const fields = asObject(told)
  return typeof fields['kind'] === 'string' ? { ...fields, kind: { type: fields['kind'] } } : told
}

function action(item: Fields): Json {
  const fields = asObject(item['action'])
  return { ...fields, type: camel(textOf(fields, 'type')) }
}

const camel = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

const renamed = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [camel(name), value]))

const renamedIn = (value: Json | undefined): Json =>
  typeof value === 'object' && value !== null ? renamed(asObject(value)) : null
