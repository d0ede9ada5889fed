import { useEffect, useState } from 'react'
import type { Session } from 'dragoman/client'
import { useClient, useReadable } from 'dragoman/react'
import { useLost } from '../ui/use-lost.ts'
import { howItStopped } from './situation.ts'

/** Stopping what runs. */
export interface Stopping {
  readonly isRunning: boolean
  readonly isStopping: boolean
  /** Why it cannot be stopped now, in a sentence. */
  readonly hindrance: string | null
  /** What is being done or came of it, in a sentence. */
  readonly said: string | null
  readonly stop: () => void
}

/** How long the result is shown. */
const sayMs = 6000

/** Stops the running turn, and reports the result. */
export function useStop(session: Session): Stopping {
  const { running } = useReadable(session.status)
  const isLost = useLost(useClient()) !== null
  const [stopped, setStopped] = useState<string | null>(null)
  const [said, say] = useState<{ readonly about: string; readonly words: string } | null>(null)
  const interaction = running?.interaction ?? null
  const isStopping = stopped !== null && stopped === interaction
  useEffect(() => {
    if (stopped === null || stopped === interaction) return
    setStopped(null)
    say({ about: stopped, words: endOf(session, stopped) })
  }, [session, stopped, interaction])
  const isStale = said !== null && interaction !== null && interaction !== said.about
  useEffect(() => {
    if (isStale) say(null)
  }, [isStale])
  useEffect(() => {
    if (said === null) return
    const timer = setTimeout(() => say(null), sayMs)
    return () => clearTimeout(timer)
  }, [said])
  const stop = () => {
    if (interaction === null || isStopping || isLost) return
    setStopped(interaction)
    const failed = (words: string) => {
      setStopped(null)
      say({ about: interaction, words })
    }
    session.interrupt().then(
      ({ saved }) => saved || failed(notSaved),
      (error: Error) => failed(`Couldn’t stop the agent: ${error.message}`),
    )
  }
  const words = said === null || isStale ? null : said.words
  const isRunning = running !== null
  const hindrance = isRunning && isLost ? outOfReach : null
  return { isRunning, isStopping, hindrance, said: hindrance ?? (isStopping ? 'Stopping…' : words), stop }
}

const notSaved = 'The agent was stopped, but the server couldn’t save that yet.'

const outOfReach = 'You can stop it once the server is back.'

function endOf(session: Session, interaction: string): string {
  const ended = session.events
    .get()
    .findLast(({ event }) => event.type === 'interaction-ended' && event.interaction === interaction)?.event
  return ended?.type === 'interaction-ended' ? howItStopped(ended) : 'Stopped.'
}
