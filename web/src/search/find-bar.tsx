import { useEffect, useRef, useState, type KeyboardEvent, type ReactElement, type ReactNode } from 'react'
import { ChevronDown, ChevronUp, Search, X } from 'lucide-react'
import type { Session } from 'dragoman/client'
import { useCommands } from '../keyboard/command.ts'
import { keyed } from '../keyboard/key-table.ts'
import { IconButton } from '../ui/button.tsx'
import styles from './find-bar.module.css'
import type { FoundPlace } from './find-loaded.ts'
import { useMarkedWords, wordsFound } from './mark-words.ts'
import { hitKinds } from './search-texts.ts'
import { Snippet } from './snippet.tsx'
import { useFind } from './use-find.ts'

/** What to find: from an address, or nothing yet. */
export interface Wanted {
  readonly query: string
  /** The part to begin with. */
  readonly part?: string
}

/** The props of a find bar. */
export interface FindBarProps {
  readonly session: Session
  readonly wanted: Wanted
  /** Counts how often the user asked for it; each time, the field gets the focus. */
  readonly asked: number
  /** The index of the place to begin with. */
  readonly nearest: (places: readonly FoundPlace[]) => number
  /** The row of the place that is shown. */
  readonly row: string | null
  /** The list of the drawn rows. */
  readonly list: () => Element | null
  readonly onGo: (place: FoundPlace) => void
  readonly onClose: () => void
  /** What can be done at the place that is shown. */
  readonly actions: (place: FoundPlace) => ReactNode
}

/** Finds text in all messages of a session, those included that are not loaded or folded. */
export function FindBar(props: FindBarProps): ReactElement {
  const { session, wanted, asked, row, list, onClose, actions } = props
  const [typed, setTyped] = useState(wanted.query)
  const { query, places, isMore, note } = useFind(session, typed)
  const { at, step } = usePlaceAt(props, query, places)
  const [words, setWords] = useState<readonly string[]>([])
  useEffect(() => setTyped(wanted.query), [wanted])
  useEffect(() => setWords(wordsFound(places)), [places])
  useMarkedWords(list, words, row)
  useCommands([
    { ...keyed('find-next'), run: () => step(1) },
    { ...keyed('find-previous'), run: () => step(-1) },
    { ...keyed('find-close'), inPalette: false, run: onClose },
  ])
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (asked > 0) field.current?.select()
  }, [asked])
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return
    event.preventDefault()
    if (event.key === 'Escape') onClose()
    else step(event.shiftKey ? -1 : 1)
  }
  const place = places[at]
  return (
    <div className={styles['bar']} role="search" aria-label="Find in this session" data-find-bar>
      <div className={styles['line']}>
        <Search size={16} aria-hidden className={styles['glass']} />
        <input
          ref={field}
          className={styles['field']}
          aria-label="Find in this session"
          placeholder="Find in this session"
          data-find-field
          value={typed}
          maxLength={1000}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="search"
          onChange={({ target }) => setTyped(target.value)}
          onKeyDown={press}
        />
        <span className={styles['count']} role="status">
          {query !== null && countWords(at, places.length, isMore)}
        </span>
        <IconButton label="Previous match" disabled={places.length === 0} onClick={() => step(-1)}>
          <ChevronUp size={18} aria-hidden />
        </IconButton>
        <IconButton label="Next match" disabled={places.length === 0} onClick={() => step(1)}>
          <ChevronDown size={18} aria-hidden />
        </IconButton>
        {place !== undefined && actions(place)}
        <IconButton label="Close" onClick={onClose}>
          <X size={18} aria-hidden />
        </IconButton>
      </div>
      {note !== null && <p className={styles['note']}>{note}</p>}
      {place !== undefined && (
        <p className={styles['place']}>
          <span className={styles['kind']}>{hitKinds[place.kind]}</span> <Snippet {...place} />
        </p>
      )}
    </div>
  )
}

const countWords = (at: number, count: number, isMore: boolean): string =>
  count === 0 ? 'No results' : `${at + 1} of ${count}${isMore ? '+' : ''}`

const nameOf = ({ messageId, part, kind, seq }: FoundPlace) => `${messageId} ${part} ${kind} ${seq}`

/** The place that is shown, and how to go to others. The first one of a new query is shown at once. */
function usePlaceAt(
  { wanted, nearest, onGo }: FindBarProps,
  query: string | null,
  places: readonly FoundPlace[],
): { readonly at: number; readonly step: (by: 1 | -1) => void } {
  const [name, setName] = useState<string | null>(null)
  const begun = useRef<{ readonly query: string; readonly wanted: Wanted } | null>(null)
  const at = Math.max(
    0,
    places.findIndex(place => nameOf(place) === name),
  )
  const go = (index: number) => {
    const place = places[index]
    if (place === undefined) return
    setName(nameOf(place))
    onGo(place)
  }
  useEffect(() => {
    if (query === null || (begun.current?.query === query && begun.current.wanted === wanted)) return
    // The address may name a part of another query than the one that was typed since.
    const isAsked = begun.current?.wanted !== wanted && query === wanted.query
    const index = isAsked ? places.findIndex(({ part }) => part === wanted.part) : -1
    begun.current = { query, wanted }
    go(index < 0 ? nearest(places) : index)
  })
  return { at, step: by => go((at + by + places.length) % places.length) }
}
