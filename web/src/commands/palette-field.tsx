import type { InputHTMLAttributes, ReactElement } from 'react'
import { Search } from 'lucide-react'
import styles from './palette.module.css'

/** The search field of the palette. */
export const PaletteField = (props: InputHTMLAttributes<HTMLInputElement>): ReactElement => (
  <div className={styles['field']}>
    <Search size={18} aria-hidden />
    <input
      className={styles['input']}
      autoFocus
      aria-label="Find a command or a session"
      autoComplete="off"
      spellCheck={false}
      enterKeyHint="go"
      placeholder="What do you want to do?"
      {...props}
    />
  </div>
)
