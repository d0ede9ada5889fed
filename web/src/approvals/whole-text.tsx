import type { ReactElement } from 'react'
import { inertPieces, timesOf } from '../safety/inert-text.ts'
import styles from '../safety/inert-text.module.css'

/**
 * A text of which nothing may be left out, because somebody allows what they see: what is meant for terminals, and could hide
 * words, stands there as signs, too.
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
