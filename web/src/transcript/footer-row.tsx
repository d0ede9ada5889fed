import type { ReactElement } from 'react'
import { InertText } from '../safety/inert-text.tsx'
import { classNames } from '../ui/class-names.ts'
import { dollars, short } from '../ui/amounts.ts'
import { duration, inFull } from '../ui/moments.ts'
import { timeOfDay } from './days.ts'
import styles from './footer-row.module.css'
import { MessageActions } from './message-actions.tsx'
import type { RowOf } from './row.ts'
import { cutOf, usageOf } from './usage-of.ts'

/** Facts about a whole answer, and its actions. */
export const FooterRow = ({ row }: { readonly row: RowOf<'footer'> }): ReactElement => (
  <footer className={classNames(styles['footer'], row.depth === 0 && styles['main'])}>
    <Facts row={row} />
    <div className={styles['actions']}>
      <MessageActions message={row.of} thread={row.thread} />
    </div>
  </footer>
)

const validities = {
  invalidated: 'Outdated',
  superseded: 'Replaced',
  archived: 'Archived',
} as const

function Facts({ row: { of, at, validity } }: { readonly row: RowOf<'footer'> }): ReactElement {
  const { model, tokens, cost, duration: took } = usageOf(of)
  const cut = cutOf(of)
  return (
    <span className={styles['facts']}>
      {at !== null && (
        <time dateTime={new Date(at).toISOString()} title={inFull(at)}>
          {timeOfDay(at)}
        </time>
      )}
      {model !== null && (
        <span>
          <InertText text={model} />
        </span>
      )}
      {took !== null && took > 0 && <span>{duration(took)}</span>}
      {tokens !== null && (
        <span title="Input and output tokens">{`${short(tokens.read)} in, ${short(tokens.written)} out`}</span>
      )}
      {cost !== null && <span>{dollars(cost)}</span>}
      {cut !== null && <strong>{cut}</strong>}
      {validity !== 'active' && <strong>{validities[validity]}</strong>}
    </span>
  )
}
