import type { ReactElement } from 'react'
import { InertText } from '../safety/inert-text.tsx'

/** What was done, in a sentence; a command in it stands between the first and the last quote. */
export function WorkSentence({ text }: { readonly text: string }): ReactElement {
  const [first, last] = [text.indexOf('`'), text.lastIndexOf('`')]
  if (first === last) return <InertText text={text} />
  return (
    <span>
      <InertText text={text.slice(0, first)} />
      <code>
        <InertText text={text.slice(first + 1, last)} />
      </code>
      <InertText text={text.slice(last + 1)} />
    </span>
  )
}
