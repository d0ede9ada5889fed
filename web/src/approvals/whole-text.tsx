import type { ReactElement } from 'react'
import { inertPieces, timesOf } from '../safety/inert-text.ts'
import styles from '../safety/inert-text.module.css'

/**
 * Text of which nothing may be hidden, because the user approves it: terminal escapes that could hide text are
 * shown as symbols too.
 */
export const WholeText = ({ text }: { readonly text: string }): ReactElement => (
  <bdi>
    {inertPieces(text).map((piece, at) =>
      'words' in piece ? (
        piece.words
      ) : (
        <span key={at} className={styles['sign']} title={piece.name}>
          {piece.sign}
          {timesOf(piece.times)}
        </span>
      ),
    )}
  </bdi>
)
