import type { ReactElement } from 'react'
import { runCommand } from '../keyboard/command.ts'
import { KeyCaps } from '../keyboard/key-caps.tsx'
import { ThemeSwitch } from '../ui/theme-switch.tsx'
import { Button } from '../ui/button.tsx'
import styles from './welcome.module.css'

/** The look of the app, and where its keys are told. */
export const Comforts = (): ReactElement => (
  <footer className={styles['comforts']}>
    <ThemeSwitch />
    <span className={styles['keys']}>
      <Button small kind="quiet" onClick={() => runCommand('keys')}>
        Keyboard shortcuts <KeyCaps keys="?" />
      </Button>
      <Button small kind="quiet" onClick={() => runCommand('palette')}>
        Find anything <KeyCaps keys="mod+k" />
      </Button>
    </span>
  </footer>
)
