import { createContext, useContext, useEffect, useState } from 'react'
import type { Client, Readable, Session } from 'dragoman/client'
import type { CallPlace } from 'dragoman/client/work-log'
import type { InspectTarget } from '../inspector/target.ts'
import { usePart } from '../ui/use-part.ts'
import type { TranscriptRoom } from './transcript-room.ts'

/** A session that accepts commands. */
export interface LiveSetting {
  readonly client: Client
  readonly session: Session
  readonly room: TranscriptRoom
}

/** Shared data for rows; it stays the same while rows change. */
export interface RowSetting {
  /** Null where a frozen conversation is shown. */
  readonly live: LiveSetting | null
  readonly place: CallPlace
  readonly onInspect: ((target: InspectTarget) => void) | null
  readonly choose: (thread: string, open: boolean) => void
  /** Opens or closes a run of steps. */
  readonly openSteps: (run: string, open: boolean) => void
  /** Which rows the user unfolded; rows unmount as they scroll out of view. */
  readonly unfolded: Map<string, boolean>
  /** What a link or a search led to. */
  readonly lit: Readable<Lit | null>
}

/** A message, or one row, that is highlighted for a moment. */
export type Lit = { readonly message: string | null } | { readonly row: string }

/** Whether something that was found is in a row. */
export const isFoundIn = (lit: Lit | null, row: string): boolean =>
  lit !== null && 'row' in lit && lit.row === row

/** Given by the transcript to its rows. */
export const RowSettingContext = createContext<RowSetting | null>(null)

/** The settings from the transcript around a row. */
export function useRowSetting(): RowSetting {
  const setting = useContext(RowSettingContext)
  if (setting !== null) return setting
  throw new Error('A row of a transcript must be inside a transcript.')
}

/**
 * Whether something in a row is expanded: as the user left it, even if the row was unmounted in between. What was
 * found in it expands it.
 */
export function useUnfolded(key: string, unless: boolean): readonly [boolean, (open: boolean) => void] {
  const { unfolded, lit } = useRowSetting()
  const [chosen, setChosen] = useState(() => unfolded.get(key) ?? null)
  const isFound = usePart(lit, now => isFoundIn(now, key))
  useEffect(() => {
    if (!isFound) return
    unfolded.set(key, true)
    setChosen(true)
  }, [isFound, unfolded, key])
  const choose = (open: boolean) => {
    unfolded.set(key, open)
    setChosen(open)
  }
  return [chosen ?? unless, choose]
}
