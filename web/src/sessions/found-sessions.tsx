import { useMemo, useEffect, useRef, type ReactElement } from 'react'
import { useClient } from 'dragoman/react'
import { usePlace } from '../places.ts'
import { withOpen, withPinned, withWaiting } from '../session-summary/session-face.ts'
import { useFaces, useOpenFace } from '../session-summary/use-faces.ts'
import { Button } from '../ui/button.tsx'
import { Empty, Loading } from '../ui/empty.tsx'
import { NotRead } from '../ui/not-read.tsx'
import { useMinute } from '../ui/use-minute.ts'
import { usePart } from '../ui/use-part.ts'
import styles from './found-sessions.module.css'
import type { Grouping } from './group-sessions.ts'
import { SessionList } from './session-list.tsx'
import { filterOf, fits, isNarrowed, type SessionSearch } from './session-search.ts'

/** The sessions that fit a search, live. */
export function FoundSessions({
  search,
  by = 'time',
  onShowAll,
}: {
  readonly search: SessionSearch
  readonly by?: Grouping
  readonly onShowAll: () => void
}): ReactElement {
  const client = useClient()
  const place = usePlace()
  const list = client.sessions(filterOf(search))
  const [found, running] = [useFaces(list), useFaces(client.running)]
  const pinned = useFaces(client.sessions({ pinned: '1' }))
  const isLoading = usePart(list, ({ loading }) => loading)
  const hasMore = usePart(list, each => each.hasMore)
  const problem = usePart(list, each => each.problem)
  const open = useOpenFace(place.page === 'session' ? place.session : null)
  const faces = useMemo(() => {
    const all = isNarrowed(search)
      ? found
      : withWaiting(withPinned(hasMore ? withOpen(found, open) : found, pinned), running)
    return all.filter(face => fits(search, face))
  }, [found, running, pinned, search, hasMore, open])
  const more = hasMore ? <More isAll={by === 'project'} count={found.length} onMore={list.loadMore} /> : null
  const again = () => {
    list.loadMore()
    client.surroundings.pauses.wake()
  }
  const now = useMinute()
  const here = place.page === 'session' || place.page === 'replay' ? place.session : null
  return (
    <>
      {problem !== null && (
        <div className={styles['problem']}>
          <NotRead what="sessions" problem={problem} onAgain={again} />
        </div>
      )}
      {faces.length > 0 || hasMore ? (
        <SessionList faces={faces} here={here} now={now} by={by} end={more} />
      ) : (
        <div className={styles['none']}>
          {isLoading && problem === null && <Loading what="sessions" />}
          {!isLoading && <None search={search} onShowAll={onShowAll} />}
        </div>
      )}
    </>
  )
}

/** Loads more before the end is in sight; a project has its sessions from all pages, so that all are loaded then. */
function More({
  isAll,
  count,
  onMore,
}: {
  readonly isAll: boolean
  /** How many are loaded. */
  readonly count: number
  readonly onMore: () => void
}): ReactElement {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isAll) onMore()
  }, [isAll, count, onMore])
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const root = element.closest('[data-scroller]')
    const watcher = new IntersectionObserver(
      entries => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) onMore()
      },
      { root, rootMargin: '1500px 0px' },
    )
    watcher.observe(element)
    return () => watcher.disconnect()
    // Watched anew after each page: the end may still be in sight.
  }, [count, onMore])
  return (
    <div ref={place} className={styles['more']}>
      <Button small onClick={onMore}>
        Load more
      </Button>
    </div>
  )
}

function None({
  search,
  onShowAll,
}: {
  readonly search: SessionSearch
  readonly onShowAll: () => void
}): ReactElement {
  if (!isNarrowed(search))
    return (
      <Empty title="No sessions yet">
        <p>Start one — everything it does is saved here.</p>
      </Empty>
    )
  return (
    <Empty title={`No matching ${search.away === null ? '' : `${search.away} `}sessions`}>
      <p>Searched titles, folders and IDs.</p>
      <Button small onClick={onShowAll}>
        Show all
      </Button>
    </Empty>
  )
}
