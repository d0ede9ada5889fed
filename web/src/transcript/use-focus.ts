import { useEffect, useReducer, useRef, useState } from 'react'
import type { Session } from 'dragoman/client'
import { useReadable } from 'dragoman/react'
import { findWay, type Focus, type Way } from './find-focus.ts'
import { covers } from './interaction-facts.ts'
import type { Row } from './row.ts'
import type { Writable } from 'dragoman/client/readable'
import type { Lit } from './row-setting.ts'
import type { TranscriptRoom } from './transcript-room.ts'

/** The progress of the search for a linked message. */
export type Finding = 'nothing' | 'looking' | 'found' | 'missing' | { readonly problem: string }

/** Searching far back loads larger pages. */
const many = 500

/** How long the found message stays highlighted. */
const litMs = 4000

/** Leads to what an address names, or a search found; a new object leads there again: older messages are loaded, and subagents opened, until it is there. */
export function useFocus(
  session: Session,
  room: TranscriptRoom,
  rows: readonly Row[],
  focus: Focus | null,
  lit: Writable<Lit | null>,
): { readonly finding: Finding; readonly wanted: Row | null } {
  const [finding, setFinding] = useState<Finding>('nothing')
  const [wanted, setWanted] = useState<Row | null>(null)
  const [tries, again] = useReducer((count: number) => count + 1, 0)
  const book = useReadable(room.book)
  const found = useRef<Focus | null>(null)
  useEffect(() => {
    if (focus === null) found.current = null
    if (focus === null || focus === found.current || rows.length === 0) return
    const follow = (way: Way) => {
      if (way.to === 'nowhere') return setFinding('missing')
      if (way.to === 'row') {
        found.current = focus
        lit.set(focus.place === undefined ? { message: way.row.message } : { row: way.row.key })
        setWanted({ ...way.row })
        return setFinding('found')
      }
      if (way.to === 'steps') return room.openSteps(way.run, true)
      setFinding('looking')
      if (way.to === 'threads') return way.threads.forEach(thread => room.choose(thread, true))
      session.loadOlder(many).then(again, (error: unknown) => setFinding({ problem: String(error) }))
    }
    const state = session.state.get()
    // Loaded messages are shown only once they are covered; then this runs again.
    if (covers(book, state.next)) follow(findWay(focus, { rows, state, book }))
    else setFinding('looking')
  }, [focus, rows, book, tries, session, room, lit])
  useEffect(() => {
    if (wanted === null) return
    const timer = setTimeout(() => lit.set(null), litMs)
    return () => clearTimeout(timer)
  }, [wanted, lit])
  return { finding: focus === null ? 'nothing' : finding, wanted }
}
