import { asObject, asList } from '../../protocol/json.ts'
import type { ToolFamily } from '../../protocol/known-tools.ts'
import { toolOf, type SomeCall } from '../../protocol/tool-call/call.ts'
import { commandOf } from '../../protocol/tool-call/command.ts'
import { editsOf } from '../../protocol/tool-call/edits.ts'
import { textIn, type Fields } from '../../protocol/tool-call/fields.ts'
import type { FileEdit } from '../../protocol/tool-call/file-edit.ts'
import { fullPath, pathsNamed } from '../../protocol/tool-call/path.ts'
import { fileKey, rangeAsked } from '../../protocol/tool-call/resources.ts'
import { parametersOf } from './parameters.ts'
import { planIn } from './plan-in.ts'
import { short, shortPath } from './short.ts'
import type { WorkFile, WorkSubject } from './work-facts.ts'

/** A change of more files names the first ones and counts the rest. */
const mostFiles = 20

/** What a call is about. */
export function subjectOf(call: SomeCall): WorkSubject {
  const { family, effect } = toolOf(call)
  const files = filesOf(call, family)
  const range = family === 'read' ? rangeAsked(call) : null
  const fields = asObject(call.input)
  const folder = family === 'list' || family === 'search' ? folderOf(call) : undefined
  const title = family === 'run' ? textIn(fields, 'title', 'description') : undefined
  const who = family === 'delegate' ? textIn(fields, ...agentNames) : undefined
  const plan = family === 'todo' ? planIn(call.input) : null
  return {
    tool: short(call.tool, 100),
    family,
    effect,
    about: aboutOf(call, family),
    ...(title !== undefined && { title: short(title) }),
    parameters: parametersOf(call, family),
    files: files.slice(0, mostFiles),
    ...(files.length > mostFiles && { moreFiles: files.length - mostFiles }),
    ...(range !== null && { range }),
    ...(folder !== undefined && { folder }),
    ...(who !== undefined && { who: short(who, 60) }),
    ...(plan !== null && { plan }),
    ...(isSecret(fields) && { secret: true }),
  }
}

const agentNames = ['subagent_type', 'agent', 'agent_name', 'agent_type', 'agentName']

function aboutOf(call: SomeCall, family: ToolFamily): string {
  const text =
    family === 'run'
      ? commandOf(call)?.command
      : family === 'ask'
        ? questionIn(asObject(call.input))
        : textIn(asObject(call.input), ...(aboutNames[family] ?? []))
  return text === undefined ? '' : short(text, 120)
}

/** The input fields that say what a call is about, the most useful first. */
const aboutNames: Readonly<Partial<Record<ToolFamily, readonly string[]>>> = {
  search: ['pattern', 'query', 'regex'],
  list: ['pattern'],
  fetch: ['url', 'prompt'],
  'web-search': ['query', 'search_term'],
  delegate: ['description', 'task', 'objective', 'prompt', 'message'],
  task: ['subject', 'taskId'],
  skill: ['skill', 'name', 'command'],
  todo: ['title'],
  plan: ['title'],
}

function questionIn(fields: Fields): string | undefined {
  const [first] = asList(fields['questions'])
  return (
    textIn(fields, 'question', 'prompt', 'message') ??
    (typeof first === 'string' ? first : textIn(asObject(first), 'question', 'header'))
  )
}

const isSecret = (fields: Fields) =>
  fields['secret'] === true || asList(fields['questions']).some(each => asObject(each)['isSecret'] === true)

function filesOf(call: SomeCall, family: ToolFamily): readonly WorkFile[] {
  if (family !== 'read' && family !== 'write' && family !== 'edit') return []
  const edits = editsOf(call)
  if (edits.length > 0) return edits.map(edit => fileEdited(edit, call))
  return pathsNamed(call).map(path => ({ path: shownPath(path, call), key: keyOf(path, call) }))
}

function fileEdited({ path, kind, movedTo, lines }: FileEdit, call: SomeCall): WorkFile {
  return {
    path: shownPath(path, call),
    key: keyOf(path, call),
    kind,
    ...(movedTo !== undefined && { movedTo: shownPath(movedTo, call), movedKey: keyOf(movedTo, call) }),
    ...lines,
  }
}

/** The key of a file; as anything that is shown, it is bounded and holds no secret. */
const keyOf = (path: string, { cwd = null }: SomeCall) => short(fileKey(path, cwd), 1000)

/** A path as a person names it: relative to the session's folder if it is inside. */
function shownPath(path: string, { cwd = null }: Pick<SomeCall, 'cwd'>): string {
  const whole = fullPath(path, cwd)
  const folder = cwd === null ? '' : fullPath(cwd, null)
  if (whole === folder) return '.'
  const inside = folder.length > 1 && whole.startsWith(`${folder}/`) ? whole.slice(folder.length + 1) : whole
  return shortPath(inside, 160)
}

/** The folder that a search looks in, as a person names it; nothing for the session's own. */
function folderOf(call: SomeCall): string | undefined {
  const [path] = pathsNamed(call)
  const shown = path === undefined ? undefined : shownPath(path, call)
  return shown === '.' ? undefined : shown
}
