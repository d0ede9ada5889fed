import { useId, type ReactElement } from 'react'
import { Monitor, Moon, Sun } from 'lucide-react'
import styles from './theme-switch.module.css'
import { useTheme } from './theme.ts'

const choices = [
  { choice: 'system', label: 'System', Icon: Monitor },
  { choice: 'light', label: 'Light', Icon: Sun },
  { choice: 'dark', label: 'Dark', Icon: Moon },
] as const

/** Light, dark, or as the machine has it. */
export function ThemeSwitch(): ReactElement {
  const { choice, choose } = useTheme()
  const name = useId()
  return (
    <fieldset className={styles['switch']}>
      <legend className="unseen">Appearance</legend>
      {choices.map(({ choice: each, label, Icon }) => (
        <label key={each} className={styles['choice']} title={label}>
          <input
            type="radio"
            className="unseen"
            name={name}
            checked={choice === each}
            onChange={() => choose(each)}
          />
          <Icon size={16} aria-hidden />
          <span className="unseen">{label}</span>
        </label>
      ))}
    </fieldset>
  )
}
