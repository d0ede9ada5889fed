import type { ReactElement } from 'react'
import { InertText } from '../safety/inert-text.tsx'

/** A sentence of the work log, with the command between the first and the last quote highlighted. */
export function Sentence({ text }: { readonly text: string }): ReactElement {
  const [first, last] = [text.indexOf('`'), text.lastIndexOf('`')]
  if (first === last) return <InertText text={text} />
  return (
    <>
      <InertText text={text.slice(0, first)} />
      <code>
        <InertText text={text.slice(first + 1, last)} />
      </code>
      <InertText text={text.slice(last + 1)} />
    </>
  )
}
