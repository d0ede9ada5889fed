import { memo, type ReactElement } from 'react'
import { ArrowDownLeft, ArrowUpRight, Minus } from 'lucide-react'
import { InertText } from '../safety/inert-text.tsx'
import { inertString } from '../safety/inert-text.ts'
import { bytes } from '../ui/amounts.ts'
import { classNames } from '../ui/class-names.ts'
import { beginningOf, clock, directionWords, kindOf, type Direction, type Line } from './line.ts'
import styles from './line-row.module.css'
import type { Pick } from './pick.ts'
import { sayChunk } from './say-chunk.ts'

const mostChunks = 8

/** The props of a row of the inspector. */
export interface LineRowProps {
  readonly line: Line
  /** Whether it is looked at, and whether for good. */
  readonly mark: 'none' | 'peeked' | 'pinned'
  readonly onPeek: (pick: Pick | null) => void
  readonly onPin: (pick: Pick) => void
}

/** One entry: its native line on the left, its chunks on the right. */
export const LineRow = memo(function LineRow({ line, mark, onPeek, onPin }: LineRowProps): ReactElement {
  const { seq, chunks } = line
  const peek = (chunk: number | null) => {
    const pick = { seq, chunk }
    return {
      // Only pointer movement counts: a line may also scroll under a resting pointer.
      onPointerMove: () => onPeek(pick),
      onPointerLeave: () => onPeek(null),
      onFocus: () => onPeek(pick),
      onBlur: () => onPeek(null),
      onClick: () => onPin(pick),
    }
  }
  return (
    <div className={classNames(styles['row'], styles[`is-${mark}`])} data-seq={seq} data-mark={mark}>
      <button type="button" className={styles['raw']} aria-pressed={mark === 'pinned'} {...peek(null)}>
        <LineHead line={line} />
        <code className={styles['words']}>{inertString(beginningOf(line))}</code>
      </button>
      <div className={styles['chunks']}>
        {chunks.length === 0 && <span className={styles['none']}>no chunks</span>}
        {chunks.slice(0, mostChunks).map(({ thread, chunk }, index) => (
          <button key={index} type="button" className={styles['chunk']} {...peek(index)}>
            {thread !== null && (
              <span className={styles['thread']} title={`Thread ${inertString(thread)}`}>
                ↳
              </span>
            )}
            <b>{chunk.type}</b> <InertText text={sayChunk(chunk)} />
          </button>
        ))}
        {chunks.length > mostChunks && (
          <span className={styles['none']}>{`and ${chunks.length - mostChunks} more`}</span>
        )}
      </div>
    </div>
  )
})

function LineHead({ line }: { readonly line: Line }): ReactElement {
  const { seq, at, direction, wholeBytes } = line
  const kind = kindOf(line)
  return (
    <span className={styles['head']}>
      <b>{seq}</b>
      <DirectionSign direction={direction} />
      <time dateTime={new Date(at).toISOString()}>{clock(at)}</time>
      {wholeBytes !== null && <span className={styles['size']}>{bytes(wholeBytes)}</span>}
      {kind !== null && <span className={styles['type']}>{inertString(kind)}</span>}
    </span>
  )
}

const signs = { 'from-agent': ArrowDownLeft, 'to-agent': ArrowUpRight, none: Minus }

/** The direction of the line. */
function DirectionSign({ direction }: { readonly direction: Direction }): ReactElement {
  const Sign = signs[direction]
  return (
    <span className={styles[`way-${direction}`]} title={directionWords[direction]}>
      <Sign size={14} aria-hidden />
      <span className="unseen">{directionWords[direction]}</span>
    </span>
  )
}
