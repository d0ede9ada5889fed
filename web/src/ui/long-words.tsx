import { useState, type ReactElement } from 'react'
import { InertText } from '../safety/inert-text.tsx'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import styles from './long-words.module.css'

const most = 400
const manyLines = 8

/** Text that may be very long, such as an error: its beginning, until the user expands it. All of it can be copied. */
export function LongWords({
  text,
  unfolding,
}: {
  readonly text: string
  /** The state of whether all is shown; by default it lasts as long as the component. */
  readonly unfolding?: readonly [isWhole: boolean, setWhole: (isWhole: boolean) => void]
}): ReactElement {
  const own = useState(false)
  const [isWhole, setWhole] = unfolding ?? own
  const beginning = beginningOf(text)
  if (beginning === null) return <InertText text={text} />
  return (
    <>
      <InertText text={isWhole ? text : beginning} />
      <span className={styles['tools']}>
        <Button kind="quiet" small aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show less' : 'Show all'}
        </Button>
        <CopyButton text={text} label="Copy all" />
      </span>
    </>
  )
}

/** As much as is shown at first; null where that is all. A character of two halves is not cut. */
export function beginningOf(text: string): string | null {
  const lines = text.split('\n', manyLines + 1)
  if (text.length <= most && lines.length <= manyLines) return null
  const words = lines.slice(0, manyLines).join('\n').slice(0, most)
  return `${words.replace(/[\uD800-\uDBFF]$/, '').trimEnd()} …`
}
