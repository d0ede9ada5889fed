import { useState, type ReactElement } from 'react'
import { isDragomanError, type Session } from 'dragoman/client'
import { openNewSession } from '../sessions/new-session-door.ts'
import { Button } from '../ui/button.tsx'
import { Empty, Loading } from '../ui/empty.tsx'
import { LongWords } from '../ui/long-words.tsx'
import { PlaceLink } from '../ui/place-link.tsx'
import { toastError } from '../ui/toast.ts'
import { useFetched } from '../ui/use-fetched.ts'
import styles from './session-states.module.css'

/** Shown while a session is loading; `problem` explains why it takes long. */
export const SessionLoading = ({ problem }: { readonly problem: string | null }): ReactElement => (
  <div className={styles['state']}>
    <Loading what="the session" />
    {problem !== null && (
      <p className={styles['problem']}>
        <LongWords text={problem} />
      </p>
    )}
  </div>
)

/** Shown for a deleted or unknown session. */
export function SessionGone({ session }: { readonly session: Session }): ReactElement {
  const isDeleted = useDeleted(session.id)
  if (isDeleted === null)
    return (
      <div className={styles['state']}>
        <Loading what="the session" />
      </div>
    )
  if (!isDeleted) return <NoSuchSession />
  return (
    <div className={styles['state']}>
      <Empty as="h1" title="This session was deleted">
        <p>You can restore it with everything in it.</p>
        <div className={styles['actions']}>
          <BringBack session={session} />
          <PlaceLink to={{ page: 'welcome' }}>Go to the start page</PlaceLink>
        </div>
      </Empty>
    </div>
  )
}

/** Shown for an unknown session. */
export const NoSuchSession = (): ReactElement => (
  <div className={styles['state']}>
    <Empty as="h1" title="Session not found">
      <p>
        The address may be mistyped, or the session is on another server. Sessions are listed beside this
        page.
      </p>
      <div className={styles['actions']}>
        <Button onClick={openNewSession}>Start a new session</Button>
        <PlaceLink to={{ page: 'welcome' }}>Go to the start page</PlaceLink>
      </div>
    </Empty>
  </div>
)

/** Whether a session that is not here was deleted; null until that is known. */
const useDeleted = (session: string): boolean | null =>
  useFetched(
    ['deleted session', session],
    (client, signal) =>
      client.call('getSession', { params: { session }, query: { deleted: '1' } }, { signal }).then(
        () => true,
        (error: unknown) => !isDragomanError(error, 'unknown-session'),
      ),
    { gcTime: 0 },
  ).data

function BringBack({ session }: { readonly session: Session }): ReactElement {
  const [isBusy, setBusy] = useState(false)
  const restore = () => {
    setBusy(true)
    const failed = (error: unknown) => {
      setBusy(false)
      toastError(error)
    }
    // Opened again, because its data was dropped.
    session.undelete().then(() => location.reload(), failed)
  }
  return (
    <Button onClick={restore} disabled={isBusy}>
      Restore
    </Button>
  )
}

/** Shown for a session that cannot be opened, with the reason. */
export const SessionFailed = ({ problem }: { readonly problem: string | null }): ReactElement => (
  <div className={styles['state']}>
    <Empty as="h1" title="Couldn’t open this session">
      <p className={styles['problem']}>
        <LongWords text={problem ?? 'The server gave no reason.'} />
      </p>
      <Button onClick={() => location.reload()}>Try again</Button>
    </Empty>
  </div>
)
