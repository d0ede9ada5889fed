import { lazy, Suspense, useEffect, useState, type ReactElement } from 'react'
import { Dialog } from '../ui/dialog.tsx'
import { Loading } from '../ui/empty.tsx'
import { PaneBoundary } from '../ui/pane-boundary.tsx'
import { useCommands } from '../keyboard/command.ts'
import { useGlobalCommands } from './global-commands.ts'
import { listenForKeys } from '../keyboard/key-listener.ts'
import { keyed } from '../keyboard/key-table.ts'
import { PaletteField } from './palette-field.tsx'
import styles from './palette.module.css'
import { useFrameColour } from '../ui/theme.ts'

const CommandPalette = lazy(async () => ({
  default: (await import('./command-palette.tsx')).CommandPalette,
}))
const ShortcutSheet = lazy(async () => ({ default: (await import('./shortcut-sheet.tsx')).ShortcutSheet }))

/**
 * Keyboard shortcuts, the palette and the shortcut list; once in the app. Their dialogs open before their
 * content is loaded: a letter typed for them must not answer an approval request.
 */
export function Commands(): ReactElement {
  const [shown, setShown] = useState<'palette' | 'keys' | null>(null)
  /** Text typed before the palette was loaded. */
  const [early, setEarly] = useState('')
  useEffect(listenForKeys, [])
  useFrameColour()
  useGlobalCommands()
  useCommands([
    { ...keyed('palette'), whileTyping: true, inPalette: false, run: () => setShown('palette') },
    { ...keyed('keys'), run: () => setShown('keys') },
  ])
  const close = () => {
    setShown(null)
    setEarly('')
  }
  return (
    <>
      <Dialog open={shown === 'palette'} title="Commands" hideTitle onClose={close}>
        <PaneBoundary what="The command palette">
          <Suspense
            fallback={
              <div className={styles['palette']}>
                <PaletteField value={early} onChange={({ target }) => setEarly(target.value)} />
              </div>
            }
          >
            <CommandPalette typed={early} onClose={close} />
          </Suspense>
        </PaneBoundary>
      </Dialog>
      <Dialog open={shown === 'keys'} title="Keyboard" shape="wide" onClose={close}>
        <PaneBoundary what="The list of keyboard shortcuts">
          <Suspense fallback={<Loading what="keyboard shortcuts" />}>
            <ShortcutSheet />
          </Suspense>
        </PaneBoundary>
      </Dialog>
    </>
  )
}
