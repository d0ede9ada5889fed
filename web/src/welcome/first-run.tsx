import type { ReactElement } from 'react'
import { openNewSession } from '../sessions/new-session-door.ts'
import { Button } from '../ui/button.tsx'
import { DemoButton } from './demo-button.tsx'
import styles from './welcome.module.css'

/** For who is here for the first time. */
export const FirstRun = (): ReactElement => (
  <section className={styles['hero']}>
    <img src="/icon.svg" alt="" width={64} height={64} />
    <h1 className={styles['name']}>Dragoman</h1>
    <p className={styles['lead']}>
      Dragoman runs coding agents on this machine and saves everything they do. Give them work, watch them,
      approve their actions, and review everything later.
    </p>
    <div className={styles['actions']}>
      <DemoButton kind="primary" />
      <Button onClick={openNewSession}>Start a session</Button>
    </div>
    <p className={styles['note']}>
      The demo shows every feature in a few minutes. It needs no API key or account and changes no files.
    </p>
  </section>
)
