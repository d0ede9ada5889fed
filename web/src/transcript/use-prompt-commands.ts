import { useRef, type RefObject } from 'react'
import type { VirtualizerHandle } from 'virtua'
import { useCommands } from '../keyboard/command.ts'
import { keyed } from '../keyboard/key-table.ts'
import { isAt, leadTo } from './lead-to.ts'
import type { Row } from './row.ts'
import type { PlaceOf } from './use-places.ts'

/** How much above a prompt stays visible. */
const above = 72

interface Surroundings {
  readonly list: RefObject<VirtualizerHandle | null>
  readonly scroller: RefObject<HTMLElement | null>
  readonly placeOf: PlaceOf
}

/** Moves from prompt to prompt by keys. */
export function usePromptCommands(
  { list, scroller, placeOf }: Surroundings,
  rows: readonly Row[],
  letGo: () => void,
): void {
  const last = useRef<string | null>(null)
  const move = (step: 1 | -1) => {
    const handle = list.current
    const box = scroller.current
    if (handle === null || box === null) return
    // While the list is still where the last step put it, step from that prompt: near the end it can't scroll
    // all the way.
    const place = last.current === null ? null : placeOf(last.current)
    const isThere = place !== null && isAt(box, place - above)
    const here = isThere
      ? rows.findIndex(({ key }) => key === last.current)
      : handle.findItemIndex(box.scrollTop + above + 1)
    const row = nextPrompt(rows, here, step)
    if (row === null) return
    letGo()
    leadTo(box, () => placeOf(row.key), { above })
    last.current = row.key
  }
  useCommands([
    { ...keyed('prompt-before'), run: () => move(-1) },
    { ...keyed('prompt-after'), run: () => move(1) },
  ])
}

/** The prompt before or after a place in the list; null when there is none. */
function nextPrompt(rows: readonly Row[], from: number, step: 1 | -1): Row | null {
  for (let at = from + step; at >= 0 && at < rows.length; at += step) {
    const row = rows[at]
    if (row?.kind === 'prompt') return row
  }
  return null
}
