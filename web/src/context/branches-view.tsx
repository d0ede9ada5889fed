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
import { useDeeds } from './use-deeds.ts'

/** Where a session branched from, what branched from it, and the way to each; what was done there can be brought here. */
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
  const { merge } = useDeeds(session.id)
  const ask = ({ session: { id, title } }: Relative) =>
    onAsk({
      title: 'Merge into this session?',
      about: `What was done in “${title ?? id}” since it branched off is appended here. Both sessions stay as they were; merging again brings only what is new.`,
      yes: 'Merge',
      onYes: () => void merge(id),
    })
  return (
    <div className={styles['branches']}>
      {facts !== null && <Origin branch={facts.branch} />}
      {loading && problem === null && <Loading what="the branches" />}
      {family.length <= 1 && !loading && problem === null && (
        <p className={styles['none']}>
          It has no branches. “Branch from here” at a message, or an edited prompt, makes one.
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
      {problem !== null && <NotRead what="The sessions" problem={problem} onAgain={loadMore} />}
      {hasMore && (
        <Button small disabled={loading} onClick={loadMore}>
          Look through older sessions
        </Button>
      )}
    </div>
  )
}

/** Where the session branched off. */
const Origin = ({ branch }: { readonly branch: SessionFacts['branch'] }) =>
  branch === null ? (
    <p>This session did not branch off from another.</p>
  ) : (
    <p>
      This session branched off
      <PlaceLink to={{ page: 'session', session: branch.session, message: branch.message }}>
        after a message of another
      </PlaceLink>
      {` (entry ${branch.seq} there).`}
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
        {`${session.agent} · ${inFull(session.createdAt)} · ${counted(session.interactions, 'interaction')}`}
      </span>
    </span>
    {isHere ? (
      <Badge tone="accent">this one</Badge>
    ) : (
      <Button small onClick={onMerge}>
        <GitMerge size={14} aria-hidden />
        Merge
      </Button>
    )}
  </li>
)
