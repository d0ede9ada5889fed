import { useEffect, useRef, useState, type ReactElement } from 'react'
import type { Session } from 'dragoman/client'
import { announcementOf } from './announcement.ts'

/** Tells screen readers when the agent begins, ends or waits, and nothing of what streams by. */
export function Announcer({ session }: { readonly session: Session }): ReactElement {
  const [said, say] = useState('')
  const before = useRef<Parameters<typeof announcementOf>[0]>(null)
  useEffect(
    () =>
      session.state.subscribe(({ phase, view }) => {
        if (phase !== 'live') return
        const words = announcementOf(before.current, view.status)
        before.current = view.status.status
        if (words !== null) say(words)
      }),
    [session],
  )
  return (
    <div className="unseen" role="status" aria-live="polite">
      {said}
    </div>
  )
}
