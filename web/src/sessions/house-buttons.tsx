import type { ReactElement } from 'react'
import { Keyboard, Moon, Search, Sun } from 'lucide-react'
import { runCommand } from '../keyboard/command.ts'
import { useTheme } from '../ui/theme.ts'
import { IconButton } from '../ui/button.tsx'
import { useMedia } from '../ui/use-media.ts'

/** What keys do everywhere, for hands that have none: the palette, the look, and the sheet of keys. */
export function HouseButtons(): ReactElement {
  const { theme } = useTheme()
  const hasKeys = useMedia('(hover: hover)')
  return (
    <>
      <IconButton label="Find a command" onClick={() => runCommand('palette')}>
        <Search size={16} aria-hidden />
      </IconButton>
      <IconButton
        label={theme === 'dark' ? 'Switch to light theme' : 'Switch to dark theme'}
        onClick={() => runCommand('theme-other')}
      >
        {theme === 'dark' ? <Sun size={16} aria-hidden /> : <Moon size={16} aria-hidden />}
      </IconButton>
      {hasKeys && (
        <IconButton label="Keyboard shortcuts" onClick={() => runCommand('keys')}>
          <Keyboard size={16} aria-hidden />
        </IconButton>
      )}
    </>
  )
}
