import { useRef } from 'react'
import type { Client, Session } from 'dragoman/client'
import { useClient } from 'dragoman/react'
import { useCommands } from '../keyboard/command.ts'
import { keyed } from '../keyboard/key-table.ts'
import { landmarksOf, type Landmark } from '../outline/landmarks.ts'
import type { FoundPlace } from '../search/find-loaded.ts'
import { toast, toastError } from '../ui/toast.ts'
import { rowOfPlace } from './find-focus.ts'
import type { Row } from './row.ts'
import { withSteps } from './step-rows.ts'
import type { TranscriptRoom } from './transcript-room.ts'
import { nearest, rowsInView } from './use-finding.ts'

const none: { readonly [Kind in Landmark]: string } = {
  failure: 'Nothing failed in this session.',
  change: 'No file was changed in this session.',
}

/** Goes to failed calls and to changes by keys, also in messages that are not loaded. */
export function useLandmarks(
  session: Session,
  room: TranscriptRoom,
  list: () => Element | null,
  onGo: (place: FoundPlace) => void,
): void {
  const client: Client = useClient()
  const last = useRef<FoundPlace | null>(null)
  const jump = async (kind: Landmark, by: 1 | -1) => {
    const places = await landmarksOf(client, session.id, kind)
    const place = nextPlace(room.rows.get(), rowsInView(list()), places, { last: last.current, by })
    if (place === null) return toast(none[kind])
    last.current = place
    onGo(place)
  }
  const command = (id: Parameters<typeof keyed>[0], kind: Landmark, by: 1 | -1) => ({
    ...keyed(id),
    run: () => void jump(kind, by).catch(toastError),
  })
  useCommands([
    command('next-failure', 'failure', 1),
    command('previous-failure', 'failure', -1),
    command('next-change', 'change', 1),
    command('previous-change', 'change', -1),
  ])
}

/** The next place in a direction, from the last one while it is in view, or else from the view; it goes round. */
export function nextPlace<Place extends FoundPlace>(
  rows: readonly Row[],
  inView: readonly string[],
  places: readonly Place[],
  { last, by }: { readonly last: FoundPlace | null; readonly by: 1 | -1 },
): Place | null {
  if (places.length === 0) return null
  const before = places.findIndex(({ part }) => part === last?.part)
  const row = last === null ? null : rowOfPlace(withSteps(rows), last)
  const isThere = before >= 0 && row !== null && inView.includes(row.key)
  const near = nearest(rows, inView[0] ?? null, places)
  const at = isThere ? before + by : by === 1 ? near : near - 1
  return places[(at + places.length) % places.length] ?? null
}
