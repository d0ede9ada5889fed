import { useEffect, useRef, type ReactElement } from 'react'
import { VList, type VListHandle } from 'virtua'
import type { Line } from './line.ts'
import { LineRow } from './line-row.tsx'
import { canShift } from '../ui/can-shift.ts'
import { classNames } from '../ui/class-names.ts'
import styles from './line-list.module.css'
import type { LinePick } from './use-inspection.ts'

/** The props of the list. */
export interface LineListProps {
  readonly lines: readonly Line[]
  readonly grew: 'start' | 'end'
  readonly peeked: LinePick | null
  readonly pinned: LinePick | null
  readonly onPeek: (pick: LinePick | null) => void
  readonly onPin: (pick: LinePick) => void
  /** The user scrolled near an end. */
  readonly onStart: () => void
  readonly onEnd: () => void
}

const near = 600

/** The lines, only those in view of them in the page. */
export function LineList(props: LineListProps): ReactElement {
  const { lines, grew, peeked, pinned, onPeek, onPin, onStart, onEnd } = props
  const list = useRef<VListHandle>(null)
  const shown = pinned?.seq ?? null
  const revealed = useRef<number | null>(null)
  useEffect(() => {
    const index = lines.findIndex(({ seq }) => seq === shown)
    // The list scrolls to it once: lines added at either end do not move it.
    if (index >= 0 && list.current !== null && revealed.current !== shown) reveal(list.current, index)
    revealed.current = index >= 0 ? shown : null
  }, [lines, shown])
  const look = (offset: number) => {
    const { scrollSize = 0, viewportSize = 0 } = list.current ?? {}
    if (offset < near) onStart()
    if (offset + viewportSize > scrollSize - near) onEnd()
  }
  return (
    <VList
      ref={list}
      className={classNames(styles['list'], 'awake')}
      data={lines}
      itemSize={56}
      shift={grew === 'start' && canShift(list.current)}
      onScroll={look}
      role="region"
      aria-label="Native lines and chunks"
    >
      {(line: Line) => (
        <LineRow
          key={line.seq}
          line={line}
          mark={line.seq === shown ? 'pinned' : line.seq === peeked?.seq ? 'peeked' : 'none'}
          onPeek={onPeek}
          onPin={onPin}
        />
      )}
    </VList>
  )
}

/** Scrolls a line to the middle, unless it is visible. */
function reveal(list: VListHandle, index: number): void {
  const { scrollOffset, viewportSize } = list
  const [from, to] = [list.getItemOffset(index), list.getItemOffset(index) + list.getItemSize(index)]
  const isInView = viewportSize > 0 && from >= scrollOffset && to <= scrollOffset + viewportSize
  if (!isInView) list.scrollToIndex(index, { align: 'center' })
}
