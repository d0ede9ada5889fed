import { useEffect } from 'react'
import type { ListedSession } from 'dragoman/client'
import { useClient } from 'dragoman/react'
import { go } from '../places.ts'
import { inertString } from '../safety/inert-text.ts'
import { nameOf } from '../session-summary/session-face.ts'
import { newlyWaiting, notificationOf, pendingIn, type Pending } from './attention.ts'

/** Tells of questions while the tab is hidden, for all sessions, and counts them on the app's icon. It shows nothing itself. */
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
  // The same tag in every tab, so that several tabs tell it once.
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
    // Phones let only the service worker tell something.
    void navigator.serviceWorker?.getRegistration().then(worker => worker?.showNotification(title, options))
  }
}

/** On the icon of an installed app; a browser that has none, or lets nobody, need not be told. */
function count(pending: number): void {
  const { setAppBadge } = navigator as { setAppBadge?: (count: number) => Promise<void> }
  void setAppBadge?.call(navigator, pending).catch(() => {})
}
