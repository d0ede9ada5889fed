import { useEffect } from 'react'
import type { ListedSession } from 'dragoman/client'
import { useClient } from 'dragoman/react'
import { go } from '../places.ts'
import { inertString } from '../safety/inert-text.ts'
import { nameOf } from '../session-summary/session-face.ts'
import { newlyWaiting, notificationOf, pendingIn, type Pending } from './attention.ts'

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
    const told = new Notification(title, options)
    told.addEventListener('click', () => {
      window.focus()
      go({ page: 'session', session: session.id })
      told.close()
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
