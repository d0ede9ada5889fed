import { useState, type ReactElement } from 'react'
import { Bell } from 'lucide-react'
import { Button } from '../ui/button.tsx'

const permission = () => globalThis.Notification?.permission ?? 'denied'

/** Asks for leave to tell of questions while the tab is hidden. It is asked by this button only, and never twice. */
export function NotifyButton(): ReactElement | null {
  const [state, setState] = useState(permission)
  if (state !== 'default') return null
  return (
    <Button kind="quiet" small onClick={() => void Notification.requestPermission().then(setState)}>
      <Bell size={14} aria-hidden />
      Notify me when this tab is hidden
    </Button>
  )
}
