import { useCommands } from '../keyboard/command.ts'
import { keyed } from '../keyboard/key-table.ts'
import { openNewSession } from './new-session-door.ts'

const searchField = () => document.querySelector<HTMLInputElement>('[data-search-sessions]')

/** Opens another session by its distance in the list from the open one; the first, if none is open. */
function step(by: number): void {
  const links = [...document.querySelectorAll<HTMLElement>('nav a[data-session]')]
  const here = links.findIndex(link => link.ariaCurrent === 'page')
  const next = links[here < 0 ? 0 : here + by]
  next?.scrollIntoView({ block: 'nearest' })
  next?.click()
}

/** Commands for the session list. */
export function useSessionCommands(): void {
  useCommands([
    { ...keyed('new-session'), run: openNewSession },
    {
      ...keyed('search-sessions'),
      when: () => searchField() !== null,
      run: () => searchField()?.focus(),
    },
    { ...keyed('next-session'), run: () => step(1) },
    { ...keyed('previous-session'), run: () => step(-1) },
  ])
}
