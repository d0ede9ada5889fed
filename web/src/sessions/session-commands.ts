import { useCommands } from '../commands/command.ts'
import { openNewSession } from './new-session-door.ts'

const searchField = () => document.querySelector<HTMLInputElement>('[data-search-sessions]')

/** Goes from the open session to another in the list, by steps; from none, to the first. */
function step(by: number): void {
  const links = [...document.querySelectorAll<HTMLElement>('nav a[data-session]')]
  const here = links.findIndex(link => link.ariaCurrent === 'page')
  const next = links[here < 0 ? 0 : here + by]
  next?.scrollIntoView({ block: 'nearest' })
  next?.click()
}

/** Offers what can be done with the list of sessions. */
export function useSessionCommands(): void {
  useCommands([
    { id: 'new-session', title: 'New session', group: 'Sessions', keys: 'c', run: openNewSession },
    {
      id: 'search-sessions',
      title: 'Search sessions',
      group: 'Sessions',
      keys: '/',
      when: () => searchField() !== null,
      run: () => searchField()?.focus(),
    },
    { id: 'next-session', title: 'Next session', group: 'Sessions', keys: 'j', run: () => step(1) },
    { id: 'previous-session', title: 'Previous session', group: 'Sessions', keys: 'k', run: () => step(-1) },
  ])
}
