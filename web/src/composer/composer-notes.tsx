import { useEffect, useState, type ReactElement, type ReactNode } from 'react'
import type { Session } from 'dragoman/client'
import { useClient, useReadable } from 'dragoman/react'
import { useAgents, type ListedAgent } from '../agents/use-agents.ts'
import { inertString } from '../safety/inert-text.ts'
import { InertText } from '../safety/inert-text.tsx'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { toastError } from '../ui/toast.ts'
import { usePart } from '../ui/use-part.ts'
import { isPicture } from './attachment.ts'
import styles from './composer.module.css'
import { agentAdvice, type Closed } from './situation.ts'
import type { UsedDraft } from './use-draft.ts'

/** Notes above the composer: why sending is not possible, what would be missing, whether the agent can run. */
export function ComposerNotes({
  session,
  closed,
  draft,
  refusals,
}: {
  readonly session: Session
  readonly closed: Closed | null
  readonly draft: Pick<UsedDraft, 'attachments' | 'lost' | 'forgetLost' | 'aside' | 'join' | 'trouble'>
  readonly refusals: readonly string[]
}): ReactElement {
  const advice = useAdvice(session, draft.attachments)
  const { lost, trouble, forgetLost, aside, join } = draft
  return (
    <div className={styles['notes']} role="status">
      {closed !== null && <ClosedNote session={session} closed={closed} />}
      {closed === null && advice !== null && (
        <Note tone="warn">
          <InertText text={advice} />
        </Note>
      )}
      {lost.length > 0 && (
        <Note>
          {`Not saved with this draft: ${lost.map(inertString).join(', ')}. Attach ${lost.length === 1 ? 'it' : 'them'} again. `}
          <Button kind="quiet" small onClick={forgetLost}>
            OK
          </Button>
        </Note>
      )}
      {aside !== null && (
        <Note>
          {'Your earlier draft comes back when you send this. '}
          <Button kind="quiet" small onClick={join}>
            Add it here
          </Button>
        </Note>
      )}
      {[...refusals, ...(trouble === null ? [] : [trouble])].map(sentence => (
        <Note key={sentence} tone="bad">
          <InertText text={sentence} />
        </Note>
      ))}
    </div>
  )
}

function useAdvice(session: Session, attachments: UsedDraft['attachments']): string | null {
  const agent = useReadiness(session)
  if (agent === null) return null
  const hasPictures = attachments.some(isPicture) && agent.capabilities['images'] !== true
  return agentAdvice(agent) ?? (hasPictures ? `${agent.title} doesn’t support images.` : null)
}

function ClosedNote({
  session,
  closed,
}: {
  readonly session: Session
  readonly closed: Closed
}): ReactElement {
  const { sentence, remedy } = closed
  const restore = remedy === 'restore' ? () => session.archive(false) : session.undelete
  return (
    <Note>
      {sentence}
      {remedy !== null && (
        <Button small onClick={() => void restore().catch(toastError)}>
          Restore
        </Button>
      )}
    </Note>
  )
}

const Note = ({
  tone,
  children,
}: {
  readonly tone?: 'warn' | 'bad'
  readonly children: ReactNode
}): ReactElement => <p className={classNames(styles['note'], tone && styles[tone])}>{children}</p>

/**
 * The agent of a session, and whether it can run with the session's settings; null until known. An agent that is
 * ready in general is ready for the session, and a running agent is always ready.
 */
function useReadiness(session: Session): ListedAgent | null {
  const client = useClient()
  const name = useReadable(session.facts)?.agent
  const isRunning = usePart(session.status, ({ running }) => running !== null)
  const listed = useAgents().agents?.find(each => each.name === name) ?? null
  const [own, found] = useState<ListedAgent | null>(null)
  const isDoubtful = listed !== null && listed.status !== 'ready' && !isRunning
  useEffect(() => {
    if (!isDoubtful) return
    let isOver = false
    const take = (agent: ListedAgent | null) => {
      if (!isOver) found(agent)
    }
    const find = ({ agents }: { readonly agents: readonly ListedAgent[] }) =>
      take(agents.find(each => each.name === name) ?? null)
    // Without a response nothing is known about this session, so nothing is shown.
    client.call('listAgents', { query: { session: session.id } }).then(find, () => take(null))
    return () => {
      isOver = true
      found(null)
    }
  }, [client, session, name, isDoubtful])
  if (listed === null) return null
  if (!isDoubtful) return { ...listed, status: 'ready', advice: null }
  return own
}
