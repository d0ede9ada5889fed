import { useCallback, useEffect, useMemo, useRef, useState, type ReactElement } from 'react'
import type { Session } from 'dragoman/client'
import { useClient, useReadable } from 'dragoman/react'
import { createWritable } from 'dragoman/client/readable'
import { X } from 'lucide-react'
import type { InspectTarget } from '../inspector/target.ts'
import { FindBar, type Wanted } from '../search/find-bar.tsx'
import { IconButton } from '../ui/button.tsx'
import { usePart } from '../ui/use-part.ts'
import { announcementOf, doingOf } from './announcement.ts'
import { EmptySession } from './empty-session.tsx'
import type { Focus } from './find-focus.ts'
import floatingStyles from './floating.module.css'
import { ForkButton } from './message-actions.tsx'
import { RowList } from './row-list.tsx'
import { RowSettingContext, type Lit, type RowSetting } from './row-setting.ts'
import { createTranscriptRoom, type TranscriptRoom } from './transcript-room.ts'
import styles from './transcript.module.css'
import { useFinding } from './use-finding.ts'
import { useFocus, type Finding } from './use-focus.ts'
import { useLandmarks } from './use-landmarks.ts'

/** The props of a transcript. */
export interface TranscriptProps {
  readonly session: Session
  /** The message or the interaction that the address names. */
  readonly focus: Focus | null
  /** The search that the address names. */
  readonly wanted: Wanted | null
  readonly onInspect: (target: InspectTarget) => void
}

/** The conversation of a session, live. */
export const Transcript = (props: TranscriptProps): ReactElement => (
  <LiveTranscript key={props.session.id} {...props} />
)

function LiveTranscript({ session, focus, wanted: asked, onInspect }: TranscriptProps): ReactElement {
  const client = useClient()
  const room = useMemo(() => createTranscriptRoom(client, session), [client, session])
  useEffect(() => room.start(), [room])
  const rows = useReadable(room.rows)
  const isReading = useReadable(room.isReading)
  const hasOlder = useReadable(session.hasOlder)
  const [lit] = useState(() => createWritable<Lit | null>(null))
  const frame = useRef<HTMLDivElement>(null)
  const find = useFinding(frame, room, focus, asked)
  useLandmarks(session, room, find.list, find.go)
  const { finding, wanted } = useFocus(session, room, rows, find.target, lit)
  const setting = useSetting({ session, room, lit, onInspect })
  return (
    <div ref={frame} className={styles['transcript']}>
      <RowSettingContext value={setting}>
        {find.bar !== null && (
          <FindBar
            {...find.bar}
            session={session}
            row={wanted?.key ?? null}
            actions={({ messageId }) =>
              messageId !== null &&
              isInMain(session, messageId) && (
                <ForkButton live={{ client, session, room }} message={messageId} />
              )
            }
          />
        )}
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

/** Whether a message is loaded and not one of a subagent, so that a branch can begin there. */
function isInMain(session: Session, id: string): boolean {
  const { older, view } = session.state.get()
  return (
    older.some(message => message.id === id) ||
    (view.messages.get(null)?.some(({ message }) => message.id === id) ?? false)
  )
}

interface Parts extends Pick<TranscriptProps, 'session' | 'onInspect'> {
  readonly room: TranscriptRoom
  readonly lit: RowSetting['lit']
}

/** The same object while the same session is shown, so that rows do not render again. */
function useSetting({ session, room, lit, onInspect }: Parts): RowSetting {
  const client = useClient()
  const newest = useRef(onInspect)
  useEffect(() => {
    newest.current = onInspect
  })
  const inspect = useCallback((target: InspectTarget) => newest.current(target), [])
  const [unfolded] = useState(() => new Map<string, boolean>())
  const agent = usePart(session.facts, facts => facts?.agent ?? null)
  const cwd = usePart(session.facts, facts => facts?.cwd ?? null)
  return useMemo(
    () => ({
      live: { client, session, room },
      place: { agent, cwd },
      onInspect: inspect,
      choose: room.choose,
      openSteps: room.openSteps,
      unfolded,
      lit,
    }),
    [client, session, room, agent, cwd, inspect, unfolded, lit],
  )
}

/** Announces to screen readers when the agent starts, ends or waits, but not the streaming text. */
function Announcer({ session }: { readonly session: Session }): ReactElement {
  const [announcement, announce] = useState('')
  const before = useRef<Parameters<typeof announcementOf>[0]>(null)
  useEffect(
    () =>
      session.state.subscribe(state => {
        if (state.phase !== 'live') return
        const status = doingOf(state)
        const words = announcementOf(before.current, { status, ended: state.view.status.ended })
        before.current = status
        if (words !== null) announce(words)
      }),
    [session],
  )
  return (
    <div className="unseen" role="status" aria-live="polite">
      {announcement}
    </div>
  )
}

/** Shows that the linked message is being searched, or was not found. */
function FocusNote({ finding }: { readonly finding: Finding }): ReactElement | null {
  const [closed, close] = useState<Finding | null>(null)
  if (finding === 'nothing' || finding === 'found' || finding === closed) return null
  return (
    <div className={floatingStyles['top']}>
      <div className={floatingStyles['note']} role="status">
        <span>{wordsOf(finding)}</span>
        {finding !== 'looking' && (
          <IconButton label="Close" onClick={() => close(finding)}>
            <X size={16} aria-hidden />
          </IconButton>
        )}
      </div>
    </div>
  )
}

function wordsOf(finding: Exclude<Finding, 'nothing' | 'found'>): string {
  if (finding === 'looking') return 'Looking for the linked message…'
  if (finding === 'missing')
    return 'The linked message is not in this conversation. An edit may have replaced it, or it is in another session.'
  return `Couldn’t find the linked message. ${finding.problem}`
}
