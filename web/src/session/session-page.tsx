import { useMemo, type ReactElement } from 'react'
import type { Session, SessionFacts } from 'dragoman/client'
import { useSession } from 'dragoman/react'
import { TriangleAlert } from 'lucide-react'
import { ApprovalDock } from '../approvals/approval-dock.tsx'
import { Composer } from '../composer/composer.tsx'
import { useCommands } from '../keyboard/command.ts'
import { keyed } from '../keyboard/key-table.ts'
import type { Wanted } from '../search/find-bar.tsx'
import { TodoPanel } from '../transcript/todo-panel.tsx'
import { Transcript } from '../transcript/transcript.tsx'
import { LongWords } from '../ui/long-words.tsx'
import { PaneBoundary } from '../ui/pane-boundary.tsx'
import { toastRoom } from '../ui/toast-room.ts'
import { useMedia } from '../ui/use-media.ts'
import { usePart } from '../ui/use-part.ts'
import { TourCard } from '../welcome/tour-card.tsx'
import { usePanel, type PanelName, type UsedPanel } from './panel-choice.ts'
import { SessionHeader } from './session-header.tsx'
import sessionNoticesStyles from './session-notices.module.css'
import styles from './session-page.module.css'
import { SessionFailed, SessionGone, SessionLoading } from './session-states.tsx'
import { SidePanel } from './side-panel.tsx'

interface SessionPageProps {
  readonly id: string
  readonly message: string | undefined
  readonly interaction: string | undefined
  readonly found: Wanted | undefined
}

/** The page of a session; with a message or an interaction, at that. */
export function SessionPage({ id, message, interaction, found }: SessionPageProps): ReactElement {
  const { session, facts, phase, problem } = useSession(id)
  // A draft from before a reload is shown even while the server can't be reached.
  const hasUnsent = usePart(session.outbox, items => items.length > 0)
  const isRoomy = useMedia('(width >= 1100px)')
  const panel = usePanel(isRoomy)
  const focus = useFocus(message, interaction)
  usePanelCommands(panel)
  if (phase === 'gone') return <SessionGone session={session} />
  if (phase === 'failed') return <SessionFailed problem={problem} />
  return (
    <div className={styles['page']}>
      <div className={styles['column']}>
        {facts === null ? (
          <div className={styles['no-header']} />
        ) : (
          <>
            <SessionHeader session={session} facts={facts} panel={panel} />
            <SessionNotices facts={facts} />
          </>
        )}
        <div ref={toastRoom} className={styles['transcript']}>
          {facts === null && <SessionLoading problem={problem} />}
          {(facts !== null || hasUnsent) && (
            <PaneBoundary what="The transcript">
              <TodoPanel session={session} />
              <Transcript session={session} focus={focus} wanted={found ?? null} onInspect={panel.inspect} />
            </PaneBoundary>
          )}
        </div>
        <Bottom session={session} />
      </div>
      <SidePanel session={session} panel={panel} isRoomy={isRoomy} />
    </div>
  )
}

/** The dock and the composer. They are there before the conversation, and without a network. */
const Bottom = ({ session }: { readonly session: Session }): ReactElement => (
  <div className={styles['bottom']}>
    <PaneBoundary what="The tour">
      <TourCard session={session} />
    </PaneBoundary>
    <PaneBoundary what="The approval requests">
      <ApprovalDock session={session} />
    </PaneBoundary>
    <PaneBoundary what="The message box">
      <Composer session={session} />
    </PaneBoundary>
  </div>
)

/** The target of the address, if any; the same object while it names the same. */
const useFocus = (message: string | undefined, interaction: string | undefined) =>
  useMemo(() => {
    if (message !== undefined) return { message }
    return interaction === undefined ? null : { interaction }
  }, [message, interaction])

const names: readonly PanelName[] = ['outline', 'work-log', 'context', 'inspector']

/** Commands for the tabs of the panel; the command of the open tab closes it. */
function usePanelCommands({ isOpen, shown, show, open }: UsedPanel): void {
  useCommands(
    names.map(name => ({
      ...keyed(`panel-${name}`),
      run: () => (isOpen && shown === name ? open(false) : show(name)),
    })),
  )
}

/** Notices about the whole session, such as that it can't be saved. */
const SessionNotices = ({ facts: { trouble } }: { readonly facts: SessionFacts }): ReactElement | null =>
  trouble && (
    <div className={sessionNoticesStyles['notice']} role="note">
      <TriangleAlert size={16} aria-hidden />
      <span className={sessionNoticesStyles['text']}>
        <LongWords text={trouble.message} />
      </span>
    </div>
  )
