import { useEffect, useState } from 'react'
import type { Session } from 'dragoman/client'
import { useClient, useReadable } from 'dragoman/react'
import { useLost } from '../ui/use-lost.ts'
import { howItStopped } from './situation.ts'

/** Stops the running turn. */
export interface Stopping {
  readonly isRunning: boolean
  readonly isStopping: boolean
  /** Why it cannot be stopped now, in a sentence. */
  readonly hindrance: string | null
  /** The progress or the result, as a sentence. */
  readonly message: string | null
  readonly stop: () => void
}

/** How long the result is shown. */
const messageMs = 6000

/** Stops the running turn, and reports the result. */
export function useStop(session: Session): Stopping {
  const { running } = useReadable(session.status)
  const isLost = useLost(useClient()) !== null
  const [stopped, setStopped] = useState<string | null>(null)
  const [message, setMessage] = useState<{ readonly about: string; readonly words: string } | null>(null)
  const interaction = running?.interaction ?? null
  const isStopping = stopped !== null && stopped === interaction
  useEffect(() => {
    if (stopped === null || stopped === interaction) return
    setStopped(null)
    setMessage({ about: stopped, words: endOf(session, stopped) })
  }, [session, stopped, interaction])
  const isStale = message !== null && interaction !== null && interaction !== message.about
  useEffect(() => {
    if (isStale) setMessage(null)
  }, [isStale])
  useEffect(() => {
    if (message === null) return
    const timer = setTimeout(() => setMessage(null), messageMs)
    return () => clearTimeout(timer)
  }, [message])
  const stop = () => {
    if (interaction === null || isStopping || isLost) return
    setStopped(interaction)
    const failed = (words: string) => {
      setStopped(null)
      setMessage({ about: interaction, words })
    }
    session.interrupt().then(
      ({ saved }) => saved || failed(notSaved),
      (error: Error) => failed(`Couldn’t stop the agent: ${error.message}`),
    )
  }
  const words = message === null || isStale ? null : message.words
  const isRunning = running !== null
  const hindrance = isRunning && isLost ? outOfReach : null
  return { isRunning, isStopping, hindrance, message: hindrance ?? (isStopping ? 'Stopping…' : words), stop }
}

const notSaved = 'The agent was stopped, but the server couldn’t save that yet.'

const outOfReach = 'You can stop it once the server is back.'

function endOf(session: Session, interaction: string): string {
  const ended = session.events
    .get()
    .findLast(({ event }) => event.type === 'interaction-ended' && event.interaction === interaction)?.event
  return ended?.type === 'interaction-ended' ? howItStopped(ended) : 'Stopped.'
}
