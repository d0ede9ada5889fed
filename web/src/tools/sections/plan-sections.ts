import type { Json, Todo } from 'dragoman'
import { asFields, asList, textIn, textOfOutput } from 'dragoman/client/work-log'
import { isOnlyWell, outputAs, restOf } from './rest.ts'
import type { Section } from './section.ts'
import { firstIn, layersOf, type ShownCall } from './shown-call.ts'

const lists = ['todos', 'plan', 'items', 'tasks', 'newTodos', 'steps']

/** The lines of a plan in some fields; nothing where there are none. */
function todosIn(value: Json | undefined): readonly Todo[] {
  const fields = asFields(value)
  const list = lists.map(name => asList(fields[name])).find(each => each.length > 0) ?? []
  return list.flatMap(each => {
    const line = asFields(each)
    const text =
      typeof each === 'string'
        ? each
        : textIn(line, 'content', 'step', 'text', 'subject', 'title', 'description')
    return text === undefined ? [] : [{ text, status: statusOf(textIn(line, 'status', 'state')) }]
  })
}

function statusOf(word = ''): Todo['status'] {
  if (/^(?:completed|done)$/.test(word)) return 'completed'
  if (/^in.?progress$|^active$/i.test(word)) return 'in-progress'
  return /^cancell?ed$|^deleted$/.test(word) ? 'cancelled' : 'pending'
}

/** The sections of a plan update: the plan after it. */
export function todoSections(call: ShownCall): readonly Section[] {
  const planned = todosIn(call.input)
  const todos =
    planned.length > 0
      ? planned
      : (firstIn(layersOf(call.output), layer => some(todosIn(layer as Json))) ?? [])
  const text = textOfOutput(call.output)
  return [
    ...(todos.length > 0 ? [{ kind: 'todos', todos } as const] : []),
    ...restOf(call.input, planned.length > 0 ? lists : []),
    ...(todos.length > 0 && (planned.length === 0 || /^\s*[[{]/.test(text) || isOnlyWell(text))
      ? []
      : outputAs('text', 'Result', text, todos.length > 0 ? null : call.output)),
  ]
}

const some = (todos: readonly Todo[]) => (todos.length > 0 ? todos : undefined)

/** A plan to approve, or its description. */
export function planSections(call: ShownCall): readonly Section[] {
  const plan = textIn(asFields(call.input), 'plan')
  return [
    ...(plan === undefined ? [] : [{ kind: 'markdown', title: 'Plan', text: plan } as const]),
    ...restOf(call.input, plan === undefined ? [] : ['plan']),
    ...outputAs('markdown', 'Result', textOfOutput(call.output), call.output),
  ]
}
