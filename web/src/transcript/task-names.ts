import type { Json, ToolPart } from 'dragoman'
import type { Row } from './row.ts'
import { withSteps } from './step-rows.ts'

type Names = ReadonlyMap<string, string>

const known = new WeakMap<readonly Row[], Names>()

/** The name of a task that a call refers to only by number, from an earlier call in the same thread. */
export function taskName(rows: readonly Row[], part: ToolPart, thread: string | null): string | null {
  const task = changedTask(part)
  if (task === null) return null
  const names = known.get(rows) ?? namesIn(rows)
  known.set(rows, names)
  return names.get(keyOf(thread, task)) ?? null
}

/** The number of the task that a call changes without naming it. */
export function changedTask({ toolName, input }: ToolPart): string | null {
  return toolName === 'TaskUpdate' && fieldOf(input, 'subject') === null ? fieldOf(input, 'taskId') : null
}

const keyOf = (thread: string | null, task: string) => `${thread ?? ''} ${task}`

function namesIn(rows: readonly Row[]): Names {
  const names = new Map<string, string>()
  for (const row of withSteps(rows)) {
    if (row.kind !== 'tool' || !row.part.toolName.startsWith('Task')) continue
    const name = fieldOf(row.part.input, 'subject')
    const task =
      row.part.toolName === 'TaskCreate' ? createdTask(row.part) : fieldOf(row.part.input, 'taskId')
    if (name !== null && task !== null) names.set(keyOf(row.thread, task), name)
  }
  return names
}

/** The result of a new task contains its number in text, with or without fields. */
const createdTask = (part: ToolPart) =>
  part.state === 'output-available' ? (/#(\w+)/.exec(JSON.stringify(part.output))?.[1] ?? null) : null

function fieldOf(value: Json | undefined, name: string): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const field = (value as Readonly<Record<string, Json>>)[name]
  return typeof field === 'string' && field !== '' ? field : null
}
