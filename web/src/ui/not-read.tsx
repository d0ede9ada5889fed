import type { ReactElement } from 'react'
import { InertText } from '../safety/inert-text.tsx'
import { Button } from './button.tsx'
import styles from './not-read.module.css'

/** That something could not be read, why, and a way to try it again. */
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
