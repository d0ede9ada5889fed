import { useEffect, useState, type ReactElement } from 'react'
import { useClient } from 'dragoman/react'
import { usePlace } from '../places.ts'
import { useNewSessionOpen } from '../sessions/new-session-door.ts'
import { Sidebar } from '../sessions/sidebar.tsx'
import { useFaces } from '../session-summary/use-faces.ts'
import { Dialog } from '../ui/dialog.tsx'
import { usePhone } from '../ui/use-media.ts'

/** Whether the drawer is open, and how it is opened and closed. */
export interface UsedDrawer {
  readonly isOpen: boolean
  readonly open: (isOpen: boolean) => void
}

/** The drawer of the sessions; there is one on a phone only. */
export function useDrawer(): UsedDrawer {
  const isPhone = usePhone()
  const place = usePlace()
  const isAsked = useNewSessionOpen()
  const [isOpen, open] = useState(false)
  // After choosing something in the drawer the user wants to see it.
  useEffect(() => open(false), [place, isAsked, isPhone])
  return { isOpen: isOpen && isPhone, open }
}

/** On a phone: the session list over the page, which is inert while it is open. */
export function SessionDrawer({ drawer: { isOpen, open } }: { readonly drawer: UsedDrawer }): ReactElement {
  // Kept up to date, so that the drawer has it at once.
  useFaces(useClient().sessions())
  return (
    <Dialog open={isOpen} title="Sessions" shape="left" onClose={() => open(false)}>
      <Sidebar />
    </Dialog>
  )
}
