import { useEffect, useState } from 'react'
import type { Session } from 'dragoman/client'
import { useClient, useReadable } from 'dragoman/react'
import { useAgents, type ListedAgent } from '../agents/use-agents.ts'
import { usePart } from '../ui/use-part.ts'

/**
 * The agent of a session, and whether it can run as the session has it run; null until that is known. One that is ready
 * for everybody is so for the session, and one that runs is ready whatever was found.
 */
export function useReadiness(session: Session): ListedAgent | null {
  const client = useClient()
  const name = useReadable(session.facts)?.agent
  const isRunning = usePart(session.status, ({ running }) => running !== null)
  const listed = useAgents().agents?.find(each => each.name === name) ?? null
  const [own, found] = useState<ListedAgent | null>(null)
  const isDoubtful = listed !== null && listed.status !== 'ready' && !isRunning
  useEffect(() => {
    if (!isDoubtful) return
    let isOver = false
    const take = (agent: ListedAgent | null) => {
      if (!isOver) found(agent)
    }
    const find = ({ agents }: { readonly agents: readonly ListedAgent[] }) =>
      take(agents.find(each => each.name === name) ?? null)
    // Without an answer nothing is known of this session, so nothing is said of it.
    client.call('listAgents', { query: { session: session.id } }).then(find, () => take(null))
    return () => {
      isOver = true
      found(null)
    }
  }, [client, session, name, isDoubtful])
  if (listed === null) return null
  if (!isDoubtful) return { ...listed, status: 'ready', advice: null }
  return own
}
