import type { ReactElement } from 'react'
import { hasStrange, inertPieces, timesOf, withoutAnsi } from './inert-text.ts'
import styles from './inert-text.module.css'

// Letters written from right to left: they must not pull what stands beside them along.
const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u

/** A text of others as text only: what could not be seen, or would turn words around, is shown as a sign. */
export function InertText({ text }: { readonly text: string }): ReactElement {
  const plain = withoutAnsi(text)
  if (!hasStrange(plain) && !rightToLeft.test(plain)) return <>{plain}</>
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
