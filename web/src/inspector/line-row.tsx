import { memo, type ReactElement } from 'react'
import { ArrowDownLeft, ArrowUpRight, Minus } from 'lucide-react'
import { InertText } from '../safety/inert-text.tsx'
import { inertString } from '../safety/inert-text.ts'
import { bytes } from '../ui/amounts.ts'
import { classNames } from '../ui/class-names.ts'
import { beginningOf, clock, directionWords, kindOf, type Direction, type Line } from './line.ts'
import styles from './line-row.module.css'
import type { LinePick } from './use-inspection.ts'
import type { Chunk } from 'dragoman'

const mostChunks = 8

/** The props of a row of the inspector. */
export interface LineRowProps {
  readonly line: Line
  /** Whether it is hovered or pinned. */
  readonly mark: 'none' | 'peeked' | 'pinned'
  readonly onPeek: (pick: LinePick | null) => void
  readonly onPin: (pick: LinePick) => void
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

const shown = 120

/** The fields of chunks, most informative first. */
const telling =
  'delta inputTextDelta errorText toolName output data url title finishReason messageMetadata approvalId messageId id toolCallId'.split(
    ' ',
  )

/** The content of a chunk in a few words. */
export function sayChunk(chunk: Chunk): string {
  const fields = chunk as Readonly<Record<string, unknown>>
  const name = telling.find(each => fields[each] !== undefined)
  const gist = name === undefined ? '' : textOf(fields[name])
  return gist.length > shown ? `${gist.slice(0, shown)} …` : gist
}

/** Only as much of a long value is written as is shown. */
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, shorten).slice(0, shown + 1)

const shorten = (_: string, value: unknown) =>
  typeof value === 'string' && value.length > shown ? value.slice(0, shown + 1) : value
