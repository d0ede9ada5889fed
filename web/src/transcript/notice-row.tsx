import { useState, type ReactElement } from 'react'
import { CircleAlert, Info, TriangleAlert } from 'lucide-react'
import { InertText } from '../safety/inert-text.tsx'
import { classNames } from '../ui/class-names.ts'
import { Button } from '../ui/button.tsx'
import { ChangesSoFar } from './changes-so-far.tsx'
import styles from './notice-row.module.css'
import type { RowOf } from './row.ts'

const looks = {
  info: { Icon: Info, word: 'Note' },
  warning: { Icon: TriangleAlert, word: 'Warning' },
  error: { Icon: CircleAlert, word: 'Error' },
} as const

const most = 400

/** Trouble that did not end the answer, or a fact worth a line. */
export function NoticeRow({
  row: { key, level, code, message },
}: {
  readonly row: RowOf<'notice'>
}): ReactElement {
  if (code === 'turn-diff') return <ChangesSoFar name={key} diff={message} />
  return <Words level={level} code={code} message={message} />
}

function Words({ level, code, message }: Pick<RowOf<'notice'>, 'level' | 'code' | 'message'>): ReactElement {
  const { Icon, word } = looks[level]
  const [whole, setWhole] = useState(false)
  const isLong = message.length > most
  return (
    <div className={classNames(styles['notice'], styles[level])} title={code}>
      <Icon size={15} aria-label={word} className={styles['icon']} />
      <div className={styles['words']}>
        <InertText text={isLong && !whole ? `${message.slice(0, most)} …` : message} />
        {isLong && (
          <Button kind="quiet" small onClick={() => setWhole(!whole)}>
            {whole ? 'Show less' : 'Show all'}
          </Button>
        )}
      </div>
    </div>
  )
}
