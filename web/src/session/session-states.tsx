import { useState, type ReactElement } from 'react'
import type { Session } from 'dragoman/client'
import { Button } from '../ui/button.tsx'
import { Empty, Loading } from '../ui/empty.tsx'
import { PlaceLink } from '../ui/place-link.tsx'
import { toastError } from '../ui/toast.ts'
import styles from './session-states.module.css'

/** In the place of a session that is being read; `problem` says why that takes long. */
export const SessionLoading = ({ problem }: { readonly problem: string | null }): ReactElement => (
  <div className={styles['state']}>
    <Loading what="the session" />
    {problem !== null && <p className={styles['problem']}>{problem}</p>}
  </div>
)

/** In the place of a session that was deleted, or never was. */
export function SessionGone({ session }: { readonly session: Session }): ReactElement {
  const [isBusy, setBusy] = useState(false)
  const restore = () => {
    setBusy(true)
    const failed = (error: unknown) => {
      setBusy(false)
      toastError(error)
    }
    // Opened anew, because what was shown of it is forgotten.
    session.undelete().then(() => location.reload(), failed)
  }
  return (
    <div className={styles['state']}>
      <Empty as="h1" title="This session is not here">
        <p>It was deleted, or the address is not right. A deleted one can be brought back.</p>
        <div className={styles['actions']}>
          <Button onClick={restore} disabled={isBusy}>
            Bring it back
          </Button>
          <PlaceLink to={{ page: 'welcome' }}>Go to the start</PlaceLink>
        </div>
      </Empty>
    </div>
  )
}

/** In the place of a session that cannot be opened, with the reason. */
export const SessionFailed = ({ problem }: { readonly problem: string | null }): ReactElement => (
  <div className={styles['state']}>
    <Empty as="h1" title="This session could not be opened">
      <p className={styles['problem']}>{problem ?? 'The server did not say why.'}</p>
      <Button onClick={() => location.reload()}>Try again</Button>
    </Empty>
  </div>
)
