import { useEffect, useState } from 'react'
import type { Session } from 'dragoman/client'
import { useReadable } from 'dragoman/react'
import { toastError } from '../ui/toast.ts'
import { usePart } from '../ui/use-part.ts'

const none: ReadonlySet<string> = new Set()

/** Lets held prompts go on, and knows which were let go until the server tells of it itself. */
export function useLetGo(session: Session): readonly [letGo: ReadonlySet<string>, go: () => void] {
  const queue = useReadable(session.queue)
  const isLive = usePart(session.state, ({ phase }) => phase === 'live')
  const isArchived = usePart(session.facts, facts => facts?.archived === true)
  const [letGo, set] = useState(none)
  // The server may be another one when it is back, and what is put away is held anew.
  const isKnown = isLive && !isArchived
  useEffect(() => {
    const held = new Set<string>(queue.flatMap(({ prompt, held: isHeld }) => (isHeld ? prompt : [])))
    set(before => (isKnown ? new Set([...before].filter(prompt => held.has(prompt))) : none))
  }, [queue, isKnown])
  const go = () => {
    set(new Set(queue.map(({ prompt }) => prompt)))
    session.continue().catch((error: unknown) => {
      set(none)
      toastError(error)
    })
  }
  return [letGo, go]
}
