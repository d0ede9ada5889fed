import type { ReactElement } from 'react'
import { ArrowDown } from 'lucide-react'
import { useCommands } from '../keyboard/command.ts'
import { keyed } from '../keyboard/key-table.ts'
import { Button } from '../ui/button.tsx'
import styles from './floating.module.css'

/** Leads back to the newest, and says how much of it was not seen. */
export function JumpButton({
  count,
  onJump,
}: {
  readonly count: number
  readonly onJump: () => void
}): ReactElement {
  useCommands([{ ...keyed('latest'), run: onJump }])
  return (
    <div className={styles['bottom']}>
      <Button className={styles['pill']} onClick={onJump}>
        <ArrowDown size={16} aria-hidden />
        Jump to latest
        {count > 0 && <span className={styles['count']}>{`${count > 999 ? '999+' : count} new`}</span>}
      </Button>
    </div>
  )
}
