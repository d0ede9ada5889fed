import { useState, type ReactElement } from 'react'
import { inertString } from '../safety/inert-text.ts'
import { Button } from '../ui/button.tsx'
import { sliceOf } from './cut-text.ts'
import styles from './long-text.module.css'

/** A text of any length, one slice at a time, so that no slice is too long for the page. */
export function LongText({ text }: { readonly text: string }): ReactElement {
  const [wanted, want] = useState(0)
  const slice = sliceOf(text, wanted)
  return (
    <>
      <pre className={styles['text']}>{inertString(slice.text)}</pre>
      {slice.count > 1 && (
        <p className={styles['slices']}>
          {`Part ${slice.number + 1} of ${slice.count}`}
          <Button small disabled={slice.number === 0} onClick={() => want(slice.number - 1)}>
            Previous part
          </Button>
          <Button small disabled={slice.number + 1 === slice.count} onClick={() => want(slice.number + 1)}>
            Next part
          </Button>
        </p>
      )}
    </>
  )
}
