/** What a tool is for, independent of the name that its agent uses. */
export type ToolFamily =
  | 'read'
  | 'write'
  | 'edit'
  | 'list'
  | 'search'
  | 'run'
  /** Looks after a command that still runs: reads its output, types into it, ends it. */
  | 'watch'
  | 'fetch'
  | 'web-search'
  /** Replaces the whole plan. */
  | 'todo'
  /** Adds, changes or shows one line of the plan. */
  | 'task'
  /** Enters or leaves planning. */
  | 'plan'
  | 'ask'
  | 'delegate'
  /** Waits for, messages or ends an agent that was started before. */
  | 'helper'
  | 'skill'
  | 'recall'
  | 'other'

/** What a call does to the world. */
export type ToolEffect = 'read' | 'write' | 'query' | 'run' | 'plan' | 'ask' | 'delegate'

/** The owner of a tool's results: only tools of the same owner may change them. */
export type ToolOwner =
  | 'fs'
  | 'shell'
  | 'web'
  | 'plan'
  | 'person'
  | 'agents'
  | 'history'
  | `mcp:${string}`
  | `tool:${string}`

/** What is known of a tool by its name. */
export interface ToolFacts {
  readonly family: ToolFamily
  readonly owner: ToolOwner
  readonly effect: ToolEffect
}

type KnownFamily = Exclude<ToolFamily, 'other'>
type Names = Readonly<Partial<Record<KnownFamily, readonly string[]>>>

const families: Readonly<Record<KnownFamily, ToolFacts>> = {
  read: { family: 'read', owner: 'fs', effect: 'read' },
  write: { family: 'write', owner: 'fs', effect: 'write' },
  edit: { family: 'edit', owner: 'fs', effect: 'write' },
  list: { family: 'list', owner: 'fs', effect: 'query' },
  search: { family: 'search', owner: 'fs', effect: 'query' },
  run: { family: 'run', owner: 'shell', effect: 'run' },
  watch: { family: 'watch', owner: 'shell', effect: 'run' },
  fetch: { family: 'fetch', owner: 'web', effect: 'read' },
  'web-search': { family: 'web-search', owner: 'web', effect: 'query' },
  todo: { family: 'todo', owner: 'plan', effect: 'plan' },
  task: { family: 'task', owner: 'plan', effect: 'plan' },
  plan: { family: 'plan', owner: 'plan', effect: 'plan' },
  ask: { family: 'ask', owner: 'person', effect: 'ask' },
  delegate: { family: 'delegate', owner: 'agents', effect: 'delegate' },
  helper: { family: 'helper', owner: 'agents', effect: 'delegate' },
  skill: { family: 'skill', owner: 'agents', effect: 'read' },
  recall: { family: 'recall', owner: 'history', effect: 'read' },
}

/**
 * The names that each agent has for its own tools. Each agent has a separate list because the same name may be a built-in tool of
 * one agent and an MCP tool of another: OpenCode names an MCP tool `server_tool`, so `read_file` is not built in there.
 */
const names: Readonly<Record<string, Names>> = {
  'claude-code': {
    read: ['Read', 'NotebookRead'],
    write: ['Write'],
    edit: ['Edit', 'MultiEdit', 'NotebookEdit'],
    list: ['Glob', 'LS'],
    search: ['Grep'],
    run: ['Bash', 'PowerShell'],
    watch: ['BashOutput', 'KillShell', 'KillBash', 'TaskOutput', 'TaskStop'],
    fetch: ['WebFetch'],
    'web-search': ['WebSearch'],
    todo: ['TodoWrite', 'TodoRead'],
    task: ['TaskCreate', 'TaskUpdate', 'TaskList', 'TaskGet'],
    plan: ['EnterPlanMode', 'ExitPlanMode'],
    ask: ['AskUserQuestion'],
    delegate: ['Task', 'Agent'],
    helper: ['SendMessage', 'AgentOutputTool'],
    skill: ['Skill', 'SlashCommand'],
  },
  codex: {
    read: ['imageView', 'view_image', 'read_file'],
    edit: ['fileChange', 'apply_patch'],
    list: ['list_dir'],
    search: ['grep_files'],
    run: ['commandExecution', 'exec_command', 'shell', 'shell_command', 'local_shell', 'container.exec'],
    watch: ['write_stdin'],
    'web-search': ['webSearch', 'web_search'],
    todo: ['update_plan'],
    ask: ['requestUserInput', 'request_user_input'],
    delegate: ['spawnAgent', 'spawn_agent'],
    helper: ['wait', 'wait_agent', 'sendInput', 'send_input', 'closeAgent', 'close_agent', 'resumeAgent'],
  },
  opencode: {
    read: ['read'],
    write: ['write'],
    edit: ['edit', 'multiedit', 'patch', 'apply_patch'],
    list: ['list', 'glob'],
    search: ['grep'],
    run: ['bash', 'shell'],
    fetch: ['webfetch'],
    'web-search': ['websearch', 'codesearch'],
    todo: ['todowrite', 'todoread'],
    plan: ['plan_enter', 'plan_exit'],
    ask: ['question'],
    delegate: ['task'],
    skill: ['skill'],
  },
  'gemini-cli': {
    read: ['read_file', 'read_many_files'],
    write: ['write_file'],
    edit: ['replace'],
    list: ['list_directory', 'glob'],
    search: ['search_file_content', 'grep_search'],
    run: ['run_shell_command'],
    watch: ['read_background_output', 'list_background_processes'],
    fetch: ['web_fetch'],
    'web-search': ['google_web_search'],
    todo: ['write_todos'],
    plan: ['enter_plan_mode', 'exit_plan_mode', 'update_topic'],
    ask: ['ask_user'],
    delegate: ['delegate_to_agent', 'invoke_agent', 'codebase_investigator'],
    skill: ['activate_skill'],
  },
  model: {
    read: ['read'],
    write: ['write'],
    edit: ['edit'],
    list: ['list'],
    search: ['search'],
    run: ['run'],
    fetch: ['fetch'],
    todo: ['todo'],
    ask: ['ask'],
    delegate: ['delegate'],
    recall: ['recall'],
  },
}

/** What other agents, and the kinds of the Agent Client Protocol, call the same. */
const elsewhere: Names = {
  read: ['view', 'open_file', 'cat'],
  write: ['create', 'create_file'],
  edit: ['str_replace', 'str_replace_editor', 'str_replace_based_edit_tool', 'edit_file', 'delete', 'move'],
  list: ['ls', 'list_files', 'find', 'find_files'],
  search: ['search_files', 'codebase_search'],
  run: ['execute', 'run_command', 'run_terminal_cmd', 'terminal'],
  todo: ['todo_write'],
  ask: ['AskUser', 'ask_user_question'],
  delegate: ['agent'],
}

/** Whether a word is the name of a family rather than of one tool. */
export const isFamily = (word: string): word is ToolFamily =>
  word === 'other' || Object.hasOwn(families, word)

function table(...all: readonly Names[]): ReadonlyMap<string, ToolFacts> {
  const rows = all.flatMap(each => Object.entries(each) as [KnownFamily, readonly string[]][])
  return new Map(rows.flatMap(([family, own]) => own.map(name => [name, families[family]] as const)))
}

// Marked as pure: a page that never asks about tools loads none of their names.
const ofAgent = /* @__PURE__ */ byAgent()
const ofAnyone = /* @__PURE__ */ byAnyone()

function byAgent(): ReadonlyMap<string, ReadonlyMap<string, ToolFacts>> {
  return new Map(Object.entries(names).map(([agent, own]) => [agent, table(own)]))
}

function byAnyone(): ReadonlyMap<string, ToolFacts> {
  return table(elsewhere, ...Object.values(names))
}

/**
 * What a tool is, by its name. An agent whose own names are known has only these; behind any other (ACP, a remote one, none
 * given) every usual name counts. A tool of an MCP server is never one of ours, whatever it is called.
 */
export function toolNamed(name: string, agent: string | null = null): ToolFacts {
  const server = /^mcp__(.+?)__/.exec(name)?.[1]
  if (server !== undefined) return { family: 'other', owner: `mcp:${server}`, effect: 'run' }
  const known = ((agent === null ? undefined : ofAgent.get(agent)) ?? ofAnyone).get(name)
  // An unknown tool may do anything, and belongs to no family.
  return known ?? { family: 'other', owner: `tool:${name}`, effect: 'run' }
}
