import type { ReactElement } from 'react'
import { hasRightToLeft } from './direction.ts'
import { hasStrange, inertPieces, timesOf, withoutAnsi } from './inert-text.ts'
import styles from './inert-text.module.css'

/** Untrusted text as plain text: invisible characters and those that reverse text are shown as symbols. */
export function InertText({ text }: { readonly text: string }): ReactElement {
  const plain = withoutAnsi(text)
  // Right-to-left text must not affect the text next to it.
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
