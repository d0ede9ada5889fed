import { useEffect, useRef, useState, type ReactElement } from 'react'
import type { Session } from 'dragoman/client'
import { announcementOf, doingOf } from './announcement.ts'

/** Tells screen readers when the agent begins, ends or waits, and nothing of what streams by. */
export function Announcer({ session }: { readonly session: Session }): ReactElement {
  const [said, say] = useState('')
  const before = useRef<Parameters<typeof announcementOf>[0]>(null)
  useEffect(
    () =>
      session.state.subscribe(state => {
        if (state.phase !== 'live') return
        const status = doingOf(state)
        const words = announcementOf(before.current, { status, ended: state.view.status.ended })
        before.current = status
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
