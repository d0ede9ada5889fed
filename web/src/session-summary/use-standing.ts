import { useClient } from 'dragoman/react'
import { useLost } from '../ui/use-lost.ts'
import { standingWords, type Standing } from './session-status.ts'

/** The words for how a session stands; of what may have changed since the server was lost, that it was so when last heard. */
export function useStanding(standing: Standing): { readonly words: string; readonly isDoubtful: boolean } {
  const isLost = useLost(useClient()) !== null
  const isDoubtful = isLost && (standing === 'running' || standing === 'queued' || standing === 'waiting')
  const words = standingWords[standing]
  return { words: isDoubtful ? `${words} (last known)` : words, isDoubtful }
}
