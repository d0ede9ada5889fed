import { asObject, asList, type Json } from '../../protocol/json.ts'
import { textIn } from '../../protocol/tool-call/fields.ts'
import type { Progress } from './work-facts.ts'

const lists = ['todos', 'plan', 'items', 'tasks', 'newTodos', 'steps']

/** The progress of the plan in a call or its result; null if there is no plan. */
export function planIn(value: Json | undefined): Progress | null {
  const fields = asObject(value)
  const list = lists.map(name => asList(fields[name])).find(each => each.length > 0)
  if (list === undefined) return null
  const done = list.filter(each => isDone(textIn(asObject(each), 'status', 'state'))).length
  return { done, total: list.length }
}

const isDone = (status: string | undefined) => status === 'completed' || status === 'done'
