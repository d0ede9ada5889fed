import type { ReactElement } from 'react'
import { CircleHelp } from 'lucide-react'
import { InertText } from '../safety/inert-text.tsx'
import { Button } from '../ui/button.tsx'
import { useRowSetting } from './row-setting.ts'
import type { RowOf } from './row.ts'
import styles from './small-line.module.css'

/** Something the agent said that nobody here understands yet; its own words can be looked at. */
export function UnknownRow({
  row: { agent, native, count, message },
}: {
  readonly row: RowOf<'unknown'>
}): ReactElement {
  const { onInspect } = useRowSetting()
  return (
    <div className={styles['line']}>
      <CircleHelp size={14} aria-hidden />
      <span>
        {count === 1 ? 'Unknown message type: ' : `${count} messages of unknown type: `}
        <code>
          <InertText text={native} />
        </code>
        {' from '}
        <InertText text={agent} />
      </span>
      {onInspect !== null && message !== null && (
        <Button kind="quiet" small onClick={() => onInspect({ message })}>
          Raw
        </Button>
      )}
    </div>
  )
}
