import { useId, useState, type ReactElement } from 'react'
import { ChevronRight, ListTodo } from 'lucide-react'
import type { Todo } from 'dragoman'
import type { Session } from 'dragoman/client'
import { useReadable } from 'dragoman/react'
import { InertText } from '../safety/inert-text.tsx'
import { classNames } from '../ui/class-names.ts'
import fold from './fold.module.css'
import { PlanList } from './plan-list.tsx'
import { planLine, progressOf } from './plan-words.ts'
import styles from './todo-panel.module.css'

/** How long a plan stays pinned after the session was last active. */
const recently = 60 * 60_000

/**
 * The plan of a session's agent, pinned: one line, and on demand all of it. It is pinned while the agent works, and for an hour
 * after that; an old session, imported or not, has only the calls that made the plan.
 */
export function TodoPanel({ session }: { readonly session: Session }): ReactElement | null {
  const todos = useReadable(session.todos)
  const { running } = useReadable(session.status)
  const { activeAt } = session.state.get()
  const isOld = running === null && Date.now() - (activeAt ?? 0) > recently
  return isOld ? null : <PinnedPlan todos={todos} />
}

/** A plan that is at hand, pinned. */
export function PinnedPlan({ todos }: { readonly todos: readonly Todo[] }): ReactElement | null {
  const id = useId()
  const [open, setOpen] = useState(false)
  if (todos.length === 0) return null
  const { done, all } = progressOf(todos)
  return (
    <section className={styles['panel']} aria-label="Plan">
      <button
        type="button"
        className={classNames(fold['fold'], styles['line'])}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <ChevronRight size={14} aria-hidden className={classNames(fold['chevron'], open && fold['open'])} />
        <ListTodo size={15} aria-hidden className={styles['icon']} />
        <span className={styles['words']}>
          <InertText text={planLine(todos)} />
        </span>
      </button>
      <progress className="unseen" max={all} value={done} aria-label="Plan completed" />
      <div id={id} className={open ? styles['all'] : undefined}>
        {open && <PlanList todos={todos} />}
      </div>
    </section>
  )
}
