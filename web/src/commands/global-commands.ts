import { useClient } from 'dragoman/react'
import { go } from '../places.ts'
import { toastError } from '../ui/toast.ts'
import { startDemo } from '../welcome/start-demo.ts'
import { useCommands, type Command } from '../keyboard/command.ts'
import { keyed } from '../keyboard/key-table.ts'
import { chooseTheme, useTheme, type ThemeChoice } from '../ui/theme.ts'

const places: readonly Command[] = (['welcome', 'dashboard', 'approvals', 'settings'] as const).map(page => ({
  ...keyed(`go-${page}`),
  run: () => go({ page }),
}))

const wear = (choice: ThemeChoice, title: string): Command => ({
  id: `theme-${choice}`,
  title,
  group: 'Appearance',
  run: () => chooseTheme(choice),
})

const looks: readonly Command[] = [
  wear('light', 'Light theme'),
  wear('dark', 'Dark theme'),
  wear('system', 'System theme'),
]

/** Global commands: open a page, or change the appearance. */
export function useGlobalCommands(): void {
  const client = useClient()
  const { theme } = useTheme()
  const other = theme === 'dark' ? 'light' : 'dark'
  useCommands([
    ...places,
    { ...keyed('theme-other'), run: () => chooseTheme(other) },
    ...looks,
    {
      id: 'demo',
      title: 'Start the demo',
      group: 'Everywhere',
      run: () => void startDemo(client).catch(toastError),
    },
    {
      id: 'sign-out',
      title: 'Sign out every browser',
      group: 'Everywhere',
      run: () => void client.call('POST /api/sign-out').then(() => location.assign('/'), toastError),
    },
  ])
}
