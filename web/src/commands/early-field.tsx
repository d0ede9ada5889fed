import type { ReactElement } from 'react'
import { Search } from 'lucide-react'
import styles from './palette.module.css'

/** The field of the palette before the palette is there: it keeps what is typed. */
export const EarlyField = ({
  typed,
  onTyped,
}: {
  readonly typed: string
  readonly onTyped: (typed: string) => void
}): ReactElement => (
  <div className={styles['palette']}>
    <div className={styles['field']}>
      <Search size={18} aria-hidden />
      <input
        className={styles['input']}
        autoFocus
        aria-label="Find a command or a session"
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={({ target }) => onTyped(target.value)}
      />
    </div>
  </div>
)
