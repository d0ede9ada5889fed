import {
  useRef,
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
} from 'react'
import { useKept } from '../ui/use-kept.ts'
import styles from './side-pane.module.css'

/** The widths of the pane, in pixels. */
export const widths = { least: 220, usual: 300, most: 560 } as const
const step = 20

/** A kept width; anything else counts as the usual one. */
export function widthIn(kept: string): number {
  const width = Number(kept)
  return Number.isInteger(width) && width >= widths.least && width <= widths.most ? width : widths.usual
}

/** A pane at the left, as wide as a person wants it: its edge is dragged, or moved with the arrows. A double click resets it. */
export function SidePane({
  children,
}: {
  /** Makes the content, which has the edge in its landmark. */
  readonly children: (edge: ReactElement) => ReactNode
}): ReactElement {
  const [kept, keep] = useKept('sidebar', String(widths.usual))
  const pane = useRef<HTMLDivElement>(null)
  const width = widthIn(kept)
  const resize = (next: number) =>
    keep(String(Math.round(Math.min(widths.most, Math.max(widths.least, next)))))
  const press = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: width - step,
      ArrowRight: width + step,
      Home: widths.least,
      End: widths.most,
    }
    const next = steps[event.key]
    if (next === undefined) return
    event.preventDefault()
    resize(next)
  }
  const drag = ({ clientX, currentTarget, pointerId }: PointerEvent<HTMLElement>) => {
    if (!currentTarget.hasPointerCapture(pointerId)) return
    resize(clientX - (pane.current?.getBoundingClientRect().left ?? 0))
  }
  const edge = (
    <div
      role="separator"
      tabIndex={0}
      aria-label="Width of the session list"
      aria-orientation="vertical"
      aria-valuemin={widths.least}
      aria-valuemax={widths.most}
      aria-valuenow={width}
      className={styles['edge']}
      onKeyDown={press}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={drag}
      onDoubleClick={() => resize(widths.usual)}
    />
  )
  return (
    <div ref={pane} className={styles['pane']} style={{ '--sidebar': `${width}px` } as CSSProperties}>
      {children(edge)}
    </div>
  )
}
