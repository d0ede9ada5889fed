import { useEffect, useMemo, useState, type ReactElement } from 'react'
import { useSessions } from 'dragoman/react'
import { go } from '../places.ts'
import { agentTitle, useKnownAgents } from '../agents/use-agents.ts'
import { useOffered } from '../keyboard/command.ts'
import { commandItems, sessionItems, type PaletteItem } from './palette-items.ts'
import { PaletteSearch } from './palette-search.tsx'
import { remember } from './recent.ts'

const pauseInTyping = 200

/** Everything that can be done and every session, found by a few letters. */
export function CommandPalette({
  typed: early,
  onClose,
}: {
  /** Text typed before this was loaded. */
  readonly typed: string
  readonly onClose: () => void
}): ReactElement {
  const commands = useOffered()
  const agents = useKnownAgents()
  const [typed, setTyped] = useState(early)
  const { sessions, trouble } = useFoundSessions(useSettled(typed.trim()))
  const items = useMemo(
    () => [
      ...commandItems(commands),
      ...sessionItems(
        sessions,
        agent => agentTitle(agents, agent),
        session => go({ page: 'session', session }),
      ),
    ],
    [commands, sessions, agents],
  )
  const choose = (item: PaletteItem) => {
    remember(item.id)
    onClose()
    // The command may want the focus, which the dialog returns only now.
    setTimeout(item.run)
  }
  return (
    <PaletteSearch
      items={items}
      typed={early}
      trouble={trouble}
      onTyped={setTyped}
      onChoose={choose}
      onClose={onClose}
    />
  )
}

/** The newest sessions, and search results from the server. */
function useFoundSessions(word: string) {
  const { sessions: newest } = useSessions()
  const { sessions: found, loading, problem } = useSessions(word === '' ? undefined : { query: word })
  const sessions = useMemo(
    () => [...new Map([...newest, ...found].map(each => [each.id, each])).values()],
    [newest, found],
  )
  return {
    sessions,
    trouble: problem === null ? (loading ? 'Searching sessions…' : null) : unsearched(problem),
  }
}

/** Retries on its own while it is needed. */
const unsearched = (problem: string) => `Couldn’t search sessions: ${problem} Retrying.`

/** A value once it has stayed the same for a moment. */
function useSettled(value: string): string {
  const [settled, settle] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => settle(value), pauseInTyping)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
