import { useMemo, type ReactElement } from 'react'
import { GitMerge } from 'lucide-react'
import type { Session, SessionFacts } from 'dragoman/client'
import { useReadable, useSessions } from 'dragoman/react'
import { InertText } from '../safety/inert-text.tsx'
import { counted } from '../ui/amounts.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Loading } from '../ui/empty.tsx'
import { inFull } from '../ui/moments.ts'
import { NotRead } from '../ui/not-read.tsx'
import { PlaceLink } from '../ui/place-link.tsx'
import styles from './branches-view.module.css'
import type { Question } from './confirm.tsx'
import { familyOf, type Relative } from './family.ts'
import { useContextActions } from './use-context-actions.ts'

/** The origin and the branches of a session, with links; branches can be merged here. */
export function BranchesView({
  session,
  onAsk,
}: {
  readonly session: Session
  readonly onAsk: (question: Question) => void
}): ReactElement {
  const facts = useReadable(session.facts)
  const { sessions, hasMore, loading, loadMore, problem } = useSessions()
  const family = useMemo(() => familyOf(sessions, session.id), [sessions, session.id])
  const { merge } = useContextActions(session.id)
  const ask = ({ session: { id, title } }: Relative) =>
    onAsk({
      title: 'Merge into this session?',
      about: `New turns of “${title ?? id}” since the branch are added here. The other session does not change. Merging again adds only newer turns.`,
      yes: 'Merge',
      onYes: () => void merge(id),
    })
  return (
    <div className={styles['branches']}>
      {facts !== null && <Origin branch={facts.branch} />}
      {loading && problem === null && <Loading what="branches" />}
      {family.length <= 1 && !loading && problem === null && (
        <p className={styles['none']}>
          No branches yet. Use “Branch from here” on a message, or edit a prompt, to create one.
        </p>
      )}
      {family.length > 1 && (
        <nav aria-label="Branches">
          <ul>
            {family.map(relative => (
              <Branch
                key={relative.session.id}
                relative={relative}
                isHere={relative.session.id === session.id}
                onMerge={() => ask(relative)}
              />
            ))}
          </ul>
        </nav>
      )}
      {problem !== null && <NotRead what="sessions" problem={problem} onAgain={loadMore} />}
      {hasMore && (
        <Button small disabled={loading} onClick={loadMore}>
          Check older sessions
        </Button>
      )}
    </div>
  )
}

/** Where the session branched. */
const Origin = ({ branch }: { readonly branch: SessionFacts['branch'] }) =>
  branch === null ? (
    <p>This session is not a branch.</p>
  ) : (
    <p>
      This session is a branch. It starts
      <PlaceLink to={{ page: 'session', session: branch.session, message: branch.message }}>
        after a message of another session
      </PlaceLink>
      {` (entry ${branch.seq}).`}
    </p>
  )

const Branch = ({
  relative: { session, depth },
  isHere,
  onMerge,
}: {
  readonly relative: Relative
  readonly isHere: boolean
  readonly onMerge: () => void
}) => (
  <li className={styles['branch']} style={{ paddingInlineStart: `calc(${depth} * var(--space-4))` }}>
    <span className={styles['name']}>
      <PlaceLink to={{ page: 'session', session: session.id }} aria-current={isHere ? 'page' : undefined}>
        <InertText text={session.title ?? session.id} />
      </PlaceLink>
      <span className={styles['facts']}>
        {`${session.agent} · ${inFull(session.createdAt)} · ${counted(session.interactions, 'turn')}`}
      </span>
    </span>
    {isHere ? (
      <Badge tone="accent">This session</Badge>
    ) : (
      <Button small onClick={onMerge}>
        <GitMerge size={14} aria-hidden />
        Merge
      </Button>
    )}
  </li>
)
