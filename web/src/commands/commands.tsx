import { lazy, Suspense, useEffect, useState, type ReactElement } from 'react'
import { useCommands } from './command.ts'
import { listenForKeys } from './key-listener.ts'
import { useGlobalCommands } from './global-commands.ts'
import { keyed } from './key-table.ts'
import { useFrameColour } from './theme.ts'

const CommandPalette = lazy(async () => ({
  default: (await import('./command-palette.tsx')).CommandPalette,
}))
const ShortcutSheet = lazy(async () => ({ default: (await import('./shortcut-sheet.tsx')).ShortcutSheet }))

/** The keys, the palette and the sheet of keys; once in the app. */
export function Commands(): ReactElement {
  const [shown, setShown] = useState<'palette' | 'keys' | null>(null)
  // What was shown once stays, closed, so that the browser can give the focus back.
  const [known, setKnown] = useState<ReadonlySet<string>>(new Set())
  const show = (what: 'palette' | 'keys') => {
    setShown(what)
    setKnown(before => new Set(before).add(what))
  }
  useEffect(listenForKeys, [])
  useFrameColour()
  useGlobalCommands()
  useCommands([
    { ...keyed('palette'), whileTyping: true, inPalette: false, run: () => show('palette') },
    { ...keyed('keys'), run: () => show('keys') },
  ])
  const close = () => setShown(null)
  return (
    <Suspense>
      {known.has('palette') && <CommandPalette open={shown === 'palette'} onClose={close} />}
      {known.has('keys') && <ShortcutSheet open={shown === 'keys'} onClose={close} />}
    </Suspense>
  )
}
