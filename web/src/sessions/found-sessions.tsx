import { useMemo, useEffect, useState, type ReactElement } from 'react'
import { useClient } from 'dragoman/react'
import { usePlace } from '../places.ts'
import { withOpen, withWaiting } from '../session-summary/session-face.ts'
import { useFaces, useOpenFace } from '../session-summary/use-faces.ts'
import { Button } from '../ui/button.tsx'
import { Empty, Loading } from '../ui/empty.tsx'
import { NotRead } from '../ui/not-read.tsx'
import { usePart } from '../ui/use-part.ts'
import styles from './found-sessions.module.css'
import { SessionList } from './session-list.tsx'
import { filterOf, fits, isNarrowed, type SessionSearch } from './session-search.ts'

/** The sessions that fit a search, live. */
export function FoundSessions({
  search,
  onShowAll,
}: {
  readonly search: SessionSearch
  readonly onShowAll: () => void
}): ReactElement {
  const client = useClient()
  const place = usePlace()
  const list = client.sessions(filterOf(search))
  const [found, running] = [useFaces(list), useFaces(client.running)]
  const isLoading = usePart(list, ({ loading }) => loading)
  const hasMore = usePart(list, each => each.hasMore)
  const problem = usePart(list, each => each.problem)
  const open = useOpenFace(place.page === 'session' ? place.session : null)
  const faces = useMemo(() => {
    const all = isNarrowed(search) ? found : withWaiting(hasMore ? withOpen(found, open) : found, running)
    return all.filter(face => fits(search, face))
  }, [found, running, search, hasMore, open])
  const more = hasMore ? <More onMore={list.loadMore} /> : null
  const again = () => {
    list.loadMore()
    client.surroundings.pauses.wake()
  }
  const today = useToday()
  const here = place.page === 'session' || place.page === 'replay' ? place.session : null
  return (
    <>
      {problem !== null && (
        <div className={styles['problem']}>
          <NotRead what="sessions" problem={problem} onAgain={again} />
        </div>
      )}
      {faces.length > 0 || hasMore ? (
        <SessionList faces={faces} here={here} now={today} end={more} />
      ) : (
        <div className={styles['none']}>
          {isLoading && problem === null && <Loading what="sessions" />}
          {!isLoading && <None search={search} onShowAll={onShowAll} />}
        </div>
      )}
    </>
  )
}

const More = ({ onMore }: { readonly onMore: () => void }): ReactElement => (
  <div className={styles['more']}>
    <Button small onClick={onMore}>
      Load more
    </Button>
  </div>
)

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

const startOfDay = (at: number) => new Date(at).setHours(0, 0, 0, 0)

/** The beginning of this day; after midnight, and after a sleep of the machine, that of the next. */
function useToday(): number {
  const [today, set] = useState(() => startOfDay(Date.now()))
  useEffect(() => {
    const timer = setInterval(() => set(startOfDay(Date.now())), 60_000)
    return () => clearInterval(timer)
  }, [])
  return today
}
