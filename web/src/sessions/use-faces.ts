import { useMemo, useSyncExternalStore } from 'react'
import type { SessionList } from 'dragoman/client'
import { useClient } from 'dragoman/react'
import { usePart } from '../ui/use-part.ts'
import { facesAfter, type SessionFace } from './session-face.ts'
import { standingOf } from './session-status.ts'

/** The faces of a list of sessions, live; what streams by in them changes nothing here. */
export function useFaces(list: SessionList): readonly SessionFace[] {
  const read = useMemo(() => {
    let faces: readonly SessionFace[] = []
    return () => (faces = facesAfter(faces, list.get().sessions))
  }, [list])
  return useSyncExternalStore(list.subscribe, read)
}

/** How many sessions wait for a person. */
export const useWaiting = (): number =>
  usePart(
    useClient().running,
    ({ sessions }) => sessions.filter(each => standingOf(each) === 'waiting').length,
  )
