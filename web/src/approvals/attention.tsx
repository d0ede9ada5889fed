import { useEffect } from 'react'
import type { ListedSession } from 'dragoman/client'
import { useClient } from 'dragoman/react'
import { go } from '../places.ts'
import { inertString } from '../safety/inert-text.ts'
import { nameOf } from '../session-summary/session-face.ts'

/**
 * Sends notifications about approval requests in all sessions while the tab is hidden, and sets the app badge.
 * Renders nothing.
 */
export function Attention(): null {
  const { running } = useClient()
  useEffect(() => {
    let before: Pending | null = null
    return running.subscribe(({ sessions, loading }) => {
      if (loading) return
      if (document.hidden) newlyWaiting(before, sessions).forEach(notify)
      before = pendingIn(sessions)
      count([...before.values()].reduce((sum, each) => sum + each, 0))
    })
  }, [running])
  return null
}

function notify(session: ListedSession): void {
  if (globalThis.Notification?.permission !== 'granted') return
  const { title, body } = notificationOf(session, inertString(nameOf(session)))
  // The same tag in every tab, so that several tabs show one notification.
  const options = {
    body,
    tag: `dragoman ${session.id}`,
    icon: '/icon-192.png',
    data: { session: session.id },
  }
  try {
    const notification = new Notification(title, options)
    notification.addEventListener('click', () => {
      window.focus()
      go({ page: 'session', session: session.id })
      notification.close()
    })
  } catch {
    // On phones only the service worker may show notifications.
    void navigator.serviceWorker?.getRegistration().then(worker => worker?.showNotification(title, options))
  }
}

/** Sets the badge of an installed app; browsers that lack or refuse it need no error. */
function count(pending: number): void {
  const { setAppBadge } = navigator as { setAppBadge?: (count: number) => Promise<void> }
  void setAppBadge?.call(navigator, pending).catch(() => {})
}

/** How many requests are pending, by session. */
export type Pending = ReadonlyMap<string, number>

/** The pending requests of the running sessions. */
export const pendingIn = (sessions: readonly Pick<ListedSession, 'id' | 'pending'>[]): Pending =>
  new Map(sessions.flatMap(({ id, pending }) => (pending > 0 ? [[id, pending]] : [])))

/** The sessions with more pending requests than before; requests that were there at first don't count. */
export function newlyWaiting<Listed extends Pick<ListedSession, 'id' | 'pending'>>(
  before: Pending | null,
  sessions: readonly Listed[],
): readonly Listed[] {
  if (before === null) return []
  return sessions.filter(({ id, pending }) => pending > (before.get(id) ?? 0))
}

/** The notification text for a session. */
export function notificationOf({ pending }: Pick<ListedSession, 'pending'>, name: string) {
  const what =
    pending === 1
      ? 'The agent is waiting for your answer.'
      : `${pending} requests are waiting for your answer.`
  return { title: name, body: what }
}
