import type { ReactElement } from 'react'
import { Circle, CircleCheck, CircleDot, CircleSlash } from 'lucide-react'
import type { Todo } from 'dragoman'
import { InertText } from '../safety/inert-text.tsx'
import styles from './plan-list.module.css'

const looks = {
  pending: { Icon: Circle, word: 'To do' },
  'in-progress': { Icon: CircleDot, word: 'In progress' },
  completed: { Icon: CircleCheck, word: 'Done' },
  cancelled: { Icon: CircleSlash, word: 'Cancelled' },
} as const

/** The items of a plan with their status. */
export const PlanList = ({ todos }: { readonly todos: readonly Todo[] }): ReactElement => (
  <ul className={styles['list']}>
    {todos.map(({ text, status }, at) => {
      const { Icon, word } = looks[status]
      return (
        <li key={at} className={styles['item']} data-status={status}>
          <Icon size={15} aria-label={word} />
          <span>
            <InertText text={text} />
          </span>
        </li>
      )
    })}
  </ul>
)
