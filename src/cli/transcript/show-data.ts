import type { Thread } from '../../protocol/chunk.ts'
import type { DataParts, Todo } from '../../protocol/data-parts.ts'
import { saidMeanwhile } from '../../protocol/said-meanwhile.ts'
import { costText, counted, countText } from '../terminal/amounts.ts'
import { inert, inertLine, quoted } from '../terminal/inert.ts'
import { depthOf, type Scene } from './scene.ts'
import { wordsOf } from './show-words.ts'

const boxes: Readonly<Record<Todo['status'], string>> = {
  pending: '☐',
  'in-progress': '◐',
  completed: '☑',
  cancelled: '☒',
}

/** The plan as a checklist. */
export function showTodos(scene: Scene, thread: Thread, { todos }: DataParts['todos']): void {
  const { page, style } = scene
  const lines = todos.map(({ status, text }) => {
    const line = `${boxes[status]} ${inertLine(text)}`
    if (status === 'in-progress') return style.bold(line)
    return status === 'pending' ? line : style.dim(line)
  })
  if (lines.length > 0) page.lines('todos', depthOf(scene, thread), lines.join('\n'))
}

/** A notice, or a message that a person sent meanwhile. */
export function showNotice(
  scene: Scene,
  thread: Thread,
  { level, code, message }: DataParts['notice'],
): void {
  const { page, style } = scene
  if (code === saidMeanwhile) return page.lines('prompt', depthOf(scene, thread), style.bold(quoted(message)))
  const paint = { info: style.dim, warning: style.yellow, error: style.red }[level]
  page.lines('work', depthOf(scene, thread), paint(`! ${inert(message)}`))
}

/** Text and calls that the agent retracted. */
export function showRetracted(scene: Scene, thread: Thread, { ids }: DataParts['retracted']): void {
  const { page, style } = scene
  const lines = ids.map(id => {
    const words = wordsOf(scene, thread, id)
    return words === undefined
      ? `↶ retracted the call ${inertLine(id)}`
      : `↶ retracted: “${inertLine(words)}”`
  })
  if (lines.length > 0) page.lines('work', depthOf(scene, thread), style.yellow(lines.join('\n')))
}

/** A subagent that starts or ends; its output is between, indented. */
export function showSubagent(scene: Scene, thread: Thread, id: string, data: DataParts['subagent']): void {
  const { page, style, subagents, depths } = scene
  const depth = depthOf(scene, thread)
  const before = subagents.get(id)
  subagents.set(id, data.status)
  depths.set(id, depth + 1)
  if (before === data.status) return
  const name = inertLine(data.agent)
  if (before === undefined)
    page.lines(
      'work',
      depth,
      `${style.dim('┌')} ${style.bold(name)} ${inertLine(data.description)}`.trimEnd(),
    )
  if (data.status === 'running') return
  const spent = [
    counted(data.toolCalls, 'tool call'),
    ...(data.tokens === null ? [] : [`${countText(data.tokens)} tokens`]),
    ...(data.cost === null ? [] : [costText(data.cost)]),
  ]
  const end = data.status === 'completed' ? style.dim : style.red
  const status = { completed: 'Done', failed: 'Failed', stopped: 'Stopped' }[data.status]
  page.lines('work', depth, `${style.dim('└')} ${end(`${name} · ${status} · ${spent.join(' · ')}`)}`)
}

/** A native message of an unknown kind. */
export function showUnknown(scene: Scene, thread: Thread, { agent, kind }: DataParts['unknown']): void {
  const text = `? ${inertLine(agent)} sent a message of the unknown kind “${inertLine(kind)}”; the original is saved`
  scene.page.lines('work', depthOf(scene, thread), scene.style.dim(text))
}
