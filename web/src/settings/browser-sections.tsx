import { useState, type ReactElement } from 'react'
import { Button } from '../ui/button.tsx'
import { Segments } from '../ui/segments.tsx'
import { useTheme, type ThemeChoice } from '../ui/theme.ts'
import { Section, Setting } from './section.tsx'

const themes: readonly { readonly name: ThemeChoice; readonly label: string }[] = [
  { name: 'light', label: 'Light' },
  { name: 'dark', label: 'Dark' },
  { name: 'system', label: 'System' },
]

/** The theme, which is stored in this browser. */
export function AppearanceSection(): ReactElement {
  const { choice, choose } = useTheme()
  return (
    <Section title="Appearance">
      <Setting name="Theme" about="Saved in this browser.">
        <Segments label="Theme" options={themes} chosen={choice} onChoose={choose} />
      </Setting>
    </Section>
  )
}

const permission = () => globalThis.Notification?.permission ?? 'unsupported'

/** Whether this browser may show notifications. Only the browser can take the permission back. */
export function NotificationSection(): ReactElement {
  const [state, setState] = useState<NotificationPermission | 'unsupported'>(permission)
  return (
    <Section title="Notifications">
      <Setting
        name="When an agent waits for you and this tab is hidden"
        about="Saved in this browser. Nothing leaves this machine."
      >
        {state === 'default' && (
          <Button onClick={() => void Notification.requestPermission().then(setState)}>
            Allow notifications
          </Button>
        )}
        {state === 'granted' && <p>On. Turn them off in the browser’s settings for this site.</p>}
        {state === 'denied' && <p>Blocked. Allow them in the browser’s settings for this site.</p>}
        {state === 'unsupported' && <p>This browser has no notifications.</p>}
      </Setting>
    </Section>
  )
}
