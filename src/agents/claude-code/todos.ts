import type { Thread } from '../../protocol/chunk.ts'
import type { Todo } from '../../protocol/data-parts.ts'
import type { Json } from '../../protocol/json.ts'
import type { Call } from '../kit/parts/state.ts'
import { getIn, setIn } from '../kit/persistent-map.ts'
import { objectsIn, textOf, fieldsOf, type Fields } from './messages.ts'
import { act, remember, type Draft } from './state.ts'

/** Shows the current plan after a tool that keeps plans has changed or read it. */
export function notePlan(draft: Draft, thread: Thread, call: Call, content: Json, twin: Fields | null): void {
  const input = fieldsOf(call.input) ?? {}
  if (call.tool === 'TodoWrite') return show(draft, thread, todosIn(twin?.['newTodos'] ?? input['todos']))
  const before = getIn(draft.state.plans, thread) ?? new Map<string, Todo>()
  const plan = planAfter(call.tool, before, input, content, twin)
  if (plan === null) return
  remember(draft, { plans: setIn(draft.state.plans, thread, plan) })
  show(draft, thread, [...plan.values()])
}

function show(draft: Draft, thread: Thread, todos: readonly Todo[]): void {
  act(draft, [{ type: 'show', chunk: { type: 'data-todos', id: 'todos', data: { todos } } }], thread)
}

type Plan = ReadonlyMap<string, Todo>

function planAfter(tool: string, plan: Plan, input: Fields, content: Json, twin: Fields | null): Plan | null {
  if (tool === 'TaskCreate') return created(plan, input, content, twin)
  if (tool === 'TaskUpdate') return updated(plan, input)
  if (tool === 'TaskList') return twin === null ? null : listed(twin)
  return null
}

function created(plan: Plan, input: Fields, content: Json, twin: Fields | null): Plan | null {
  const task = fieldsOf(twin?.['task'])
  // A subagent's results come without their fields, so the number is read from the text.
  const id = textOf(task?.['id']) ?? /#(\w+)/.exec(JSON.stringify(content))?.[1]
  const text = textOf(task?.['subject']) ?? textOf(input['subject'])
  return id === undefined || text === null ? null : new Map(plan).set(id, { text, status: 'pending' })
}

function updated(plan: Plan, input: Fields): Plan | null {
  const id = textOf(input['taskId']) ?? ''
  const before = plan.get(id)
  if (before === undefined) return null
  const status = input['status']
  if (status === 'deleted') return new Map([...plan].filter(([other]) => other !== id))
  const text = textOf(input['subject']) ?? before.text
  return new Map(plan).set(id, { text, status: status === undefined ? before.status : statusOf(status) })
}

function listed(twin: Fields): Plan {
  const tasks = objectsIn(twin['tasks']).map((task, at) => {
    const todo = { text: textOf(task['subject']) ?? '', status: statusOf(task['status']) }
    return [textOf(task['id']) ?? `${at}`, todo] as const
  })
  return new Map(tasks)
}

function todosIn(value: Json | undefined): readonly Todo[] {
  return objectsIn(value).map(todo => ({
    text: textOf(todo['content']) ?? '',
    status: statusOf(todo['status']),
  }))
}

function statusOf(status: Json | undefined): Todo['status'] {
  if (status === 'completed' || status === 'cancelled') return status
  return status === 'in_progress' ? 'in-progress' : 'pending'
}
