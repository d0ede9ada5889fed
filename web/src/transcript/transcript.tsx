import { useCallback, useEffect, useMemo, useRef, useState, type ReactElement } from 'react'
import type { Session } from 'dragoman/client'
import { useClient, useReadable } from 'dragoman/react'
import type { InspectTarget } from '../inspector/target.ts'
import { Announcer } from './announcer.tsx'
import { EmptySession } from './empty-session.tsx'
import type { Focus } from './find-focus.ts'
import { FocusNote } from './focus-note.tsx'
import { RowList } from './row-list.tsx'
import { RowSettingContext, type RowSetting } from './row-setting.ts'
import { createWritable } from 'dragoman/client/readable'
import { derive } from './derive.ts'
import { createTranscriptRoom, type TranscriptRoom } from './transcript-room.ts'
import styles from './transcript.module.css'
import { useFocus } from './use-focus.ts'

/** What a transcript is given. */
export interface TranscriptProps {
  readonly session: Session
  /** The message or the interaction that the address names. */
  readonly focus: Focus | null
  readonly onInspect: (target: InspectTarget) => void
}

/** The conversation of a session, live. */
export const Transcript = (props: TranscriptProps): ReactElement => (
  <LiveTranscript key={props.session.id} {...props} />
)

function LiveTranscript({ session, focus, onInspect }: TranscriptProps): ReactElement {
  const client = useClient()
  const room = useMemo(() => createTranscriptRoom(client, session), [client, session])
  useEffect(() => room.start(), [room])
  const rows = useReadable(room.rows)
  const isReading = useReadable(room.isReading)
  const hasOlder = useReadable(session.hasOlder)
  const [lit] = useState(() => createWritable<string | null>(null))
  const { finding, wanted } = useFocus(session, room, rows, focus, lit)
  const setting = useSetting({ session, room, lit, onInspect })
  return (
    <div className={styles['transcript']}>
      <RowSettingContext value={setting}>
        {rows.length === 0 ? (
          <EmptySession session={session} isReading={isReading} />
        ) : (
          <RowList rows={rows} loadOlder={hasOlder ? session.loadOlder : null} wanted={wanted} />
        )}
      </RowSettingContext>
      <FocusNote finding={finding} />
      <Announcer session={session} />
    </div>
  )
}

interface Parts extends Pick<TranscriptProps, 'session' | 'onInspect'> {
  readonly room: TranscriptRoom
  readonly lit: RowSetting['lit']
}

/** The same object while the same session is shown, so that rows are left alone. */
function useSetting({ session, room, lit, onInspect }: Parts): RowSetting {
  const client = useClient()
  const newest = useRef(onInspect)
  useEffect(() => {
    newest.current = onInspect
  })
  const inspect = useCallback((target: InspectTarget) => newest.current(target), [])
  const [unfolded] = useState(() => new Map<string, boolean>())
  const about = useMemo(
    () => ({
      agent: derive([session.facts] as const, facts => facts?.agent ?? null),
      cwd: derive([session.facts] as const, facts => facts?.cwd ?? null),
    }),
    [session],
  )
  const agent = useReadable(about.agent)
  const cwd = useReadable(about.cwd)
  return useMemo(
    () => ({
      live: { client, session, room },
      place: { agent, cwd },
      onInspect: inspect,
      choose: room.choose,
      unfolded,
      lit,
    }),
    [client, session, room, agent, cwd, inspect, unfolded, lit],
  )
}
