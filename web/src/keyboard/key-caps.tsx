import { Fragment, type ReactElement } from 'react'
import type { Command } from './command.ts'
import styles from './key-caps.module.css'
import { labelsOf, strokesOf } from './keys.ts'

/** Keys as they are on this machine's keyboard; several ways with "or" between them. */
export function KeyCaps({ keys }: { readonly keys: NonNullable<Command['keys']> }): ReactElement {
  const ways = (typeof keys === 'string' ? [keys] : keys).map(strokesOf)
  return (
    <span className={styles['ways']}>
      {ways.map((strokes, at) => (
        <Fragment key={strokes.join(' ')}>
          {at > 0 && <span className={styles['between']}>or</span>}
          {strokes.map((stroke, step) => (
            // A sequence may have the same key twice.
            <Fragment key={step}>
              {step > 0 && <span className={styles['between']}>then</span>}
              {labelsOf(stroke).map(label => (
                <kbd key={label} className={styles['key']}>
                  {label}
                </kbd>
              ))}
            </Fragment>
          ))}
        </Fragment>
      ))}
    </span>
  )
}
