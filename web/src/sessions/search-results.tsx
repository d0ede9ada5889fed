import { useId, type ReactElement } from 'react'
import { InertText } from '../safety/inert-text.tsx'
import { ago } from '../ui/moments.ts'
import { PlaceLink } from '../ui/place-link.tsx'
import { useFetched } from '../ui/use-fetched.ts'
import { searchTexts, type Hit } from './search-texts.ts'
import styles from './search-results.module.css'
import type { SessionSearch } from './session-search.ts'

/** Shorter searches would find nearly everything. */
const shortest = 2
const kinds: Readonly<Record<Hit['kind'], string>> = {
  prompt: 'Prompt',
  answer: 'Answer',
  thinking: 'Thinking',
  'tool-input': 'Tool input',
  'tool-output': 'Tool output',
  title: 'Title',
}

/** The places in all conversations where the words of a search were found, the newest first. */
export function SearchResults({ search }: { readonly search: SessionSearch }): ReactElement | null {
  const q = search.words.trim()
  // Archived sessions are found, too; deleted ones never are.
  const isOff = q.length < shortest || search.away !== null
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
              <HitLink hit={hit} now={now} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** Opens the session at the message. */
function HitLink({ hit, now }: { readonly hit: Hit; readonly now: number }): ReactElement {
  const { session, messageId, kind, at } = hit
  const to = { page: 'session' as const, session, ...(messageId !== null && { message: messageId }) }
  return (
    <PlaceLink to={to} className={styles['hit']}>
      <span className={styles['place']}>{`${kinds[kind]} · ${ago(at, now)}`}</span>
      <span className={styles['text']}>{marked(hit)}</span>
    </PlaceLink>
  )
}

/** The snippet with what was found in it. */
function marked({ snippet, ranges }: Hit): readonly ReactElement[] {
  let end = 0
  const inert = (from: number, to?: number) => (
    <InertText key={`text ${from}`} text={snippet.slice(from, to)} />
  )
  const pieces = ranges.flatMap(([from, to]) => {
    const before = inert(end, from)
    end = to
    return [before, <mark key={from}>{inert(from, to)}</mark>]
  })
  return [...pieces, inert(end)]
}
