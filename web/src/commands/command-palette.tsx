import { useMemo, useState, type ReactElement } from 'react'
import { useSessions } from 'dragoman/react'
import { go } from '../places.ts'
import { agentTitle, useKnownAgents } from '../agents/use-agents.ts'
import { useOffered } from '../keyboard/command.ts'
import { placeOfHit, searchTexts, shortestQuery, type Hit } from '../search/search-texts.ts'
import { nameOf } from '../session-summary/session-face.ts'
import { useFetched } from '../ui/use-fetched.ts'
import { useSettled } from '../ui/use-settled.ts'
import { commandItems, hitItems, sessionItems, type PaletteItem } from './palette-items.ts'
import { PaletteSearch } from './palette-search.tsx'
import { remember } from './recent.ts'

const pauseInTyping = 200

/** Everything that can be done, every session and every text in one, found by a few letters. */
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
  const word = useSettled(typed.trim(), pauseInTyping)
  const { sessions, trouble } = useFoundSessions(word)
  const hits = useFoundTexts(word)
  const titles = useMemo(() => new Map(sessions.map(each => [each.id, nameOf(each)])), [sessions])
  const items = useMemo(
    () => [
      ...commandItems(commands),
      ...sessionItems(
        sessions,
        agent => agentTitle(agents, agent),
        session => go({ page: 'session', session }),
      ),
      ...hitItems(
        hits,
        id => titles.get(id) ?? null,
        hit => go(placeOfHit(hit, word)),
      ),
    ],
    [commands, sessions, agents, hits, titles, word],
  )
  const choose = (item: PaletteItem) => {
    if (item.places === undefined) remember(item.id)
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

/** Places in all conversations. What they were found for may have changed since; then there are none. */
function useFoundTexts(q: string): readonly Hit[] {
  const { data } = useFetched(
    ['search', q, null, null],
    (client, signal) => searchTexts(client, { q }, signal),
    { enabled: q.length >= shortestQuery },
  )
  return q.length >= shortestQuery ? (data?.hits ?? none) : none
}

const none: readonly never[] = []

/** Retries on its own while it is needed. */
const unsearched = (problem: string) => `Couldn’t search sessions: ${problem} Retrying.`
