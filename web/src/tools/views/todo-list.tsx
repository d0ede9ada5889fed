import type { ReactElement } from 'react'
import { Circle, CircleCheck, CircleDot, CircleSlash, type LucideIcon } from 'lucide-react'
import type { Todo } from 'dragoman'
import { InertText } from '../../safety/inert-text.tsx'
import { classNames } from '../../ui/class-names.ts'
import styles from './views.module.css'

const signs: Readonly<Record<Todo['status'], readonly [icon: LucideIcon, words: string]>> = {
  pending: [Circle, 'To do'],
  'in-progress': [CircleDot, 'In progress'],
  completed: [CircleCheck, 'Done'],
  cancelled: [CircleSlash, 'Cancelled'],
}

/** A plan, line by line. */
export const TodoList = ({ todos }: { readonly todos: readonly Todo[] }): ReactElement => (
  <ol className={styles['todos']}>
    {todos.map(({ text, status }, at) => {
      const [Icon, words] = signs[status]
      return (
        <li key={at} className={classNames(styles['todo'], styles[status])}>
          <Icon size={16} aria-hidden />
          <span>
            <span className="unseen">{`${words}: `}</span>
            <InertText text={text} />
          </span>
        </li>
      )
    })}
  </ol>
)
