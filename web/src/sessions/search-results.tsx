import { useId, type ReactElement } from 'react'
import { hitKinds, placeOfHit, searchTexts, shortestQuery, type Hit } from '../search/search-texts.ts'
import { Snippet } from '../search/snippet.tsx'
import { ago } from '../ui/moments.ts'
import { PlaceLink } from '../ui/place-link.tsx'
import { useFetched } from '../ui/use-fetched.ts'
import styles from './search-results.module.css'
import type { SessionSearch } from './session-search.ts'

/** The places in all conversations where the words of a search were found, the newest first. */
export function SearchResults({ search }: { readonly search: SessionSearch }): ReactElement | null {
  const q = search.words.trim()
  // Archived sessions are found, too; deleted ones never are.
  const isOff = q.length < shortestQuery || search.away !== null
  return isOff ? null : <Results q={q} search={search} />
}

function Results({ q, search }: { readonly q: string; readonly search: SessionSearch }): ReactElement {
  const { agent, folder } = search
  const heading = useId()
  const { data, problem } = useFetched(
    ['search', q, agent, folder],
    (client, signal) => searchTexts(client, { q, agent, folder }, signal),
    { placeholderData: before => before },
  )
  const now = Date.now()
  return (
    <section aria-label="Search results" className={styles['results']}>
      <h2 id={heading} className={styles['head']}>
        In conversations
      </h2>
      {problem !== null && <p className={styles['note']}>{problem}</p>}
      {problem === null && data?.hits.length === 0 && <p className={styles['note']}>Nothing was found.</p>}
      {data !== null && data.behind > 0 && (
        <p className={styles['note']}>{`Not indexed yet: ${data.behind.toLocaleString()} entries.`}</p>
      )}
      {problem === null && (
        <ul className={styles['list']} aria-labelledby={heading}>
          {data?.hits.map(hit => (
            <li key={`${hit.session} ${hit.seq} ${hit.part ?? ''} ${hit.kind}`}>
              <HitLink hit={hit} query={q} now={now} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** Opens the session at the message, with what was found in it marked. */
function HitLink({
  hit,
  query,
  now,
}: {
  readonly hit: Hit
  readonly query: string
  readonly now: number
}): ReactElement {
  return (
    <PlaceLink to={placeOfHit(hit, query)} className={styles['hit']}>
      <span className={styles['place']}>{`${hitKinds[hit.kind]} · ${ago(hit.at, now)}`}</span>
      <span className={styles['text']}>
        <Snippet {...hit} />
      </span>
    </PlaceLink>
  )
}
