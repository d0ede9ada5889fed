import { useClient } from 'dragoman/react'
import { useLost } from '../ui/use-lost.ts'
import { standingWords, type Standing } from './session-status.ts'

/** The status label of a session; while the server is unreachable, marked as last known where it may have changed. */
export function useStanding(standing: Standing): { readonly words: string; readonly isDoubtful: boolean } {
  const isLost = useLost(useClient()) !== null
  const isDoubtful = isLost && (standing === 'running' || standing === 'queued' || standing === 'waiting')
  const words = standingWords[standing]
  return { words: isDoubtful ? `${words} (last known)` : words, isDoubtful }
}
