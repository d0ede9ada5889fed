import type { Todo } from '../../../protocol/data-parts.ts'
import type { Json } from '../../../protocol/json.ts'
import type { Op } from '../../kit/parts.ts'
import { isObject, listOf, textOf, type JsonObject } from '../messages.ts'

const statuses: Readonly<Record<string, Todo['status']>> = {
  in_progress: 'in-progress',
  completed: 'completed',
  cancelled: 'cancelled',
}

/** Replaces the plan. */
export function showTodos(entries: readonly Json[]): Op {
  const todos = entries.filter(isObject).map(todoOf)
  return { type: 'show', chunk: { type: 'data-todos', id: 'todos', data: { todos } } }
}

/** The plan in the input of a tool that keeps one; null for any other input. */
export function todosIn(input: Json | undefined): Op | null {
  if (!isObject(input) || !Array.isArray(input['todos'])) return null
  const entries = listOf(input['todos'])
  const isPlan = entries.every(entry => isObject(entry) && typeof entry['status'] === 'string')
  return isPlan ? showTodos(entries) : null
}

function todoOf(entry: JsonObject): Todo {
  const text = textOf(entry['content']) ?? textOf(entry['description']) ?? textOf(entry['text']) ?? ''
  return { text, status: statuses[textOf(entry['status']) ?? ''] ?? 'pending' }
}
