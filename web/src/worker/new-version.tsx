import { useState, useSyncExternalStore, type ReactElement } from 'react'
import { Button } from '../ui/button.tsx'
import styles from './new-version.module.css'
import { hasNewVersion, onNewVersion } from './register.ts'

/** Announces a newer version of the app, and loads it on request. */
export function NewVersion(): ReactElement {
  const isReady = useSyncExternalStore(onNewVersion, hasNewVersion)
  const [isPutOff, putOff] = useState(false)
  return (
    <div role="status" className={styles['place']}>
      {isReady && !isPutOff && (
        <div className={styles['note']}>
          <span>A new version is ready.</span>
          <Button small kind="primary" onClick={() => location.reload()}>
            Reload
          </Button>
          <Button small kind="quiet" onClick={() => putOff(true)}>
            Later
          </Button>
        </div>
      )}
    </div>
  )
}
