import type { ReactElement } from 'react'
import { InertText } from '../safety/inert-text.tsx'
import { Button } from './button.tsx'
import styles from './not-read.module.css'

/** Reports that something could not be loaded and why, with a button to try again. */
export const NotRead = ({
  what,
  problem,
  onAgain,
}: {
  readonly what: string
  readonly problem: string
  readonly onAgain: () => void
}): ReactElement => (
  <div className={styles['not-read']} role="status">
    <span>
      {`Couldn’t load ${what}: `}
      <InertText text={problem} />
    </span>
    <Button small onClick={onAgain}>
      Try again
    </Button>
  </div>
)
