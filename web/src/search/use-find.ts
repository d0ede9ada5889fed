import { useMemo } from 'react'
import type { Client, Session, SessionState } from 'dragoman/client'
import { useClient } from 'dragoman/react'
import { useFetched } from '../ui/use-fetched.ts'
import { useLost } from '../ui/use-lost.ts'
import { usePart } from '../ui/use-part.ts'
import { useSettled } from '../ui/use-settled.ts'
import { findLoaded, type FoundPlace } from './find-loaded.ts'
import { searchTexts, shortestQuery } from './search-texts.ts'

/** What was found in a session. */
export interface FoundInSession {
  /** The query of the places; null while nothing is searched or nothing was found yet. */
  readonly query: string | null
  /** In the order of the conversation. */
  readonly places: readonly FoundPlace[]
  /** Whether there are more places than these. */
  readonly isMore: boolean
  /** Why the search failed or is not complete, in a sentence. */
  readonly note: string | null
}

const pause = 200
const page = 100
const mostPages = 10
/** How often it is searched again while the agent writes or the index is behind. */
const againMs = 3000

/** Finds a query in all messages of a session; without the server, in the loaded ones. */
export function useFind(session: Session, typed: string): FoundInSession {
  const client = useClient()
  const q = useSettled(typed.trim(), pause)
  const isOn = q.length >= shortestQuery
  const isLost = useLost(client) !== null
  const isRunning = usePart(session.status, ({ running }) => running !== null)
  const { data, problem } = useFetched(
    ['find', session.id, q],
    (_, signal) => findOnServer(client, session.id, q, signal),
    {
      enabled: isOn && !isLost,
      refetchInterval: ({ state }) => (isRunning || (state.data?.behind ?? 0) > 0 ? againMs : false),
      placeholderData: before => before,
    },
  )
  const found = isOn && data?.query === q ? data : null
  const isLocal = isOn && (isLost || (found !== null && found.behind > 0))
  return useMemo(() => {
    // It is found anew with each reply, and not with each word that streams in.
    const local = isLocal ? findLoaded(loadedIn(session.state.get()), q) : []
    const known = found ?? nothing
    const note = isLost ? offlineNote(local) : (problem ?? behindNote(known.behind))
    const isKnown = found !== null || (isLost && isOn)
    const isRefused = problem !== null && !isLost
    const places = isRefused ? [] : merged(known.places, local ?? [])
    return {
      query: isKnown && !isRefused ? q : null,
      places,
      isMore: known.isMore,
      note: isOn ? note : null,
    }
  }, [session, isLocal, found, problem, isLost, isOn, q])
}

const nothing = { places: [], isMore: false, behind: 0 }

function offlineNote(local: readonly unknown[] | null): string {
  return local === null
    ? 'Can’t reach the server. Patterns and filters need it.'
    : 'Can’t reach the server. Only the messages loaded here were searched.'
}

const behindNote = (behind: number) =>
  behind === 0 ? null : `Not indexed yet: ${behind.toLocaleString()} entries. Loaded messages were searched.`

const loadedIn = ({ older, view }: SessionState) => [
  ...older,
  ...[...view.messages.values()].flatMap(shown => shown.map(({ message }) => message)),
]

/** The places that the server found, and those of loaded messages that it does not know yet. */
function merged(places: readonly FoundPlace[], local: readonly FoundPlace[]): readonly FoundPlace[] {
  const known = new Set(places.map(nameOf))
  return [...places, ...local.filter(place => !known.has(nameOf(place)))]
}

/** The texts of a message have other names in the index. */
const nameOf = ({ messageId, part, kind }: FoundPlace) =>
  `${kind} ${kind.startsWith('tool') ? part : messageId}`

async function findOnServer(client: Client, session: string, q: string, signal: AbortSignal) {
  const places: FoundPlace[] = []
  let cursor: string | null = null
  let behind = 0
  for (let at = 0; at < mostPages; at += 1) {
    const asked = { q, session, limit: page, ...(cursor !== null && { cursor }) }
    const found: Awaited<ReturnType<typeof searchTexts>> = await searchTexts(client, asked, signal)
    places.push(...found.hits.filter(({ messageId }) => messageId !== null))
    behind = found.behind
    cursor = found.next
    if (cursor === null) break
  }
  // The input and the output of a call may have been completed by one entry.
  places.sort((a, b) => a.seq - b.seq || Number(b.kind === 'tool-input') - Number(a.kind === 'tool-input'))
  return { query: q, places, behind, isMore: cursor !== null }
}
