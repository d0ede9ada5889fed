import { useClient } from 'dragoman/react'
import { go, type Place } from '../places.ts'
import { toastError } from '../ui/toast.ts'
import { startDemo } from '../welcome/start-demo.ts'
import { useCommands, type Command } from './command.ts'
import { chooseTheme, useTheme, type ThemeChoice } from './theme.ts'

const goTo = (place: Place, title: string, keys: string): Command => ({
  id: `go-${place.page}`,
  title,
  group: 'Go to',
  keys,
  run: () => go(place),
})

const places: readonly Command[] = [
  goTo({ page: 'welcome' }, 'Start page', 'g h'),
  goTo({ page: 'dashboard' }, 'Dashboard', 'g d'),
  goTo({ page: 'approvals' }, 'Approvals', 'g a'),
]

const wear = (choice: ThemeChoice, title: string): Command => ({
  id: `theme-${choice}`,
  title,
  group: 'Look',
  run: () => chooseTheme(choice),
})

const looks: readonly Command[] = [
  wear('light', 'Light'),
  wear('dark', 'Dark'),
  wear('system', 'As the machine has it'),
]

/** Offers what can be done from anywhere: to go somewhere, and to look otherwise. */
export function useGlobalCommands(): void {
  const client = useClient()
  const { theme } = useTheme()
  const other = theme === 'dark' ? 'light' : 'dark'
  useCommands([
    ...places,
    {
      id: 'theme-other',
      title: 'Light or dark',
      group: 'Look',
      keys: 'g t',
      run: () => chooseTheme(other),
    },
    ...looks,
    {
      id: 'demo',
      title: 'Start the demo',
      group: 'Everywhere',
      run: () => void startDemo(client).catch(toastError),
    },
  ])
}
