import type { ReactElement } from 'react'
import { hasRightToLeft } from './direction.ts'
import { hasStrange, inertPieces, timesOf, withoutAnsi } from './inert-text.ts'
import styles from './inert-text.module.css'

/** A text of others as text only: what could not be seen, or would turn words around, is shown as a sign. */
export function InertText({ text }: { readonly text: string }): ReactElement {
  const plain = withoutAnsi(text)
  // Letters written from right to left must not pull what stands beside them along.
  if (!hasStrange(plain) && !hasRightToLeft(plain)) return <>{plain}</>
  return (
    <bdi>
      {inertPieces(plain).map((piece, index) =>
        'words' in piece ? (
          piece.words
        ) : (
          <span key={index} className={styles['sign']} title={piece.name}>
            {piece.sign}
            {timesOf(piece.times)}
          </span>
        ),
      )}
    </bdi>
  )
}
