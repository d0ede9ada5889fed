import { useMemo, useSyncExternalStore } from 'react'
import type { Readable, SessionList, SessionState } from 'dragoman/client'
import { useClient } from 'dragoman/react'
import { usePart } from '../ui/use-part.ts'
import { faceOf, facesAfter, type SessionFace } from './session-face.ts'
import { standingOf } from './session-status.ts'

/** The faces of a list of sessions, live; what streams by in them changes nothing here. */
export function useFaces(list: SessionList): readonly SessionFace[] {
  const read = useMemo(() => {
    let faces: readonly SessionFace[] = []
    return () => (faces = facesAfter(faces, list.get().sessions))
  }, [list])
  return useSyncExternalStore(list.subscribe, read)
}

/** How many sessions wait for approval. */
export const useWaiting = (): number =>
  usePart(
    useClient().running,
    ({ sessions }) => sessions.filter(each => standingOf(each) === 'waiting').length,
  )

const nobody: Readable<SessionState | null> = { get: () => null, subscribe: () => () => {} }

/** The face of the open session; null when none is open or it is not loaded. */
export function useOpenFace(session: string | null): SessionFace | null {
  const client = useClient()
  const state: Readable<SessionState | null> = session === null ? nobody : client.session(session).state
  const facts = usePart(state, each => each?.facts ?? null)
  const status = usePart(state, each => each?.view.status.status ?? 'idle')
  const ended = usePart(state, each => each?.view.status.ended ?? null)
  const pending = usePart(state, each => each?.view.status.pending.length ?? 0)
  return useMemo(
    () => (facts === null || facts.deleted ? null : faceOf({ ...facts, status, ended, pending })),
    [facts, status, ended, pending],
  )
}
