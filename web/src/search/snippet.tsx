import type { ReactElement } from 'react'
import { InertText } from '../safety/inert-text.tsx'
import type { Hit } from './search-texts.ts'

/** A piece of a text with what was found in it. */
export function Snippet({ snippet, ranges }: Pick<Hit, 'snippet' | 'ranges'>): ReactElement {
  let end = 0
  const inert = (from: number, to?: number) => (
    <InertText key={`text ${from}`} text={snippet.slice(from, to)} />
  )
  const pieces = ranges.flatMap(([from, to]) => {
    const before = inert(end, from)
    end = to
    return [before, <mark key={from}>{inert(from, to)}</mark>]
  })
  return <>{[...pieces, inert(end)]}</>
}
