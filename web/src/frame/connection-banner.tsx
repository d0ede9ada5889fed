import { useEffect, useState, useSyncExternalStore, type ReactElement } from 'react'
import { CloudOff, RefreshCw } from 'lucide-react'
import type { Readable, SessionState } from 'dragoman/client'
import { useClient, useReadable } from 'dragoman/react'
import { isSignedOut } from '../sign-in/browser-key.ts'
import { classNames } from '../ui/class-names.ts'
import { patience } from '../ui/use-lost.ts'
import { usePart } from '../ui/use-part.ts'
import { connectionNote, type ConnectionNote } from './connection-words.ts'
import styles from './connection-banner.module.css'

/** Shows when data may be stale and what happens to unsent prompts. Short interruptions are not shown. */
export function ConnectionBanner({ session }: { readonly session: string | null }): ReactElement {
  const client = useClient()
  const { state, problem } = useReadable(client.connection)
  const isOnline = useSyncExternalStore(hearNetwork, () => navigator.onLine)
  const phase = usePart(
    session === null ? nobody : client.session(session).state,
    each => each?.phase ?? null,
  )
  const isRead = useIsRead(session)
  const unsent = usePart(
    client.outbox.items,
    items => items.filter(each => each.seq === null && each.state !== 'refused').length,
  )
  const isOut = useReadable(isSignedOut)
  const facts = { state, problem, isOnline, phase, isRead, unsent, isSignedOut: isOut }
  const note = useLasting(connectionNote(facts), patience)
  return (
    <div role="status" className={styles['place']}>
      {note && (
        <p className={classNames(styles['banner'], styles[note.kind])}>
          {note.kind === 'catching-up' ? (
            <RefreshCw size={16} aria-hidden />
          ) : (
            <CloudOff size={16} aria-hidden />
          )}
          {note.text}
        </p>
      )}
    </div>
  )
}

const nobody: Readable<SessionState | null> = { get: () => null, subscribe: () => () => {} }

/** Whether any data of the open session, or of the session list, was loaded. */
function useIsRead(session: string | null): boolean {
  const client = useClient()
  const isListed = usePart(client.sessions(), ({ loading }) => !loading)
  const isOpened = usePart(session === null ? nobody : client.session(session).state, hasOpened)
  return session === null ? isListed : isOpened
}

const hasOpened = (state: SessionState | null) =>
  state !== null && (state.facts !== null || state.phase === 'gone' || state.phase === 'failed')

function hearNetwork(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** A note that is shown only after it lasted a while; its text may change meanwhile. */
function useLasting(note: ConnectionNote | null, ms: number): ConnectionNote | null {
  const [lasts, set] = useState(false)
  const isThere = note !== null
  useEffect(() => {
    const timer = setTimeout(() => set(isThere), isThere ? ms : 0)
    return () => clearTimeout(timer)
  }, [isThere, ms])
  return lasts ? note : null
}
