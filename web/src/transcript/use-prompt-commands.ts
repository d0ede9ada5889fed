import { useRef, type RefObject } from 'react'
import type { VirtualizerHandle } from 'virtua'
import { useCommands } from '../commands/command.ts'
import { nextPrompt } from './next-prompt.ts'
import type { Row } from './row.ts'

/** What stands above a prompt is seen, too. */
const above = 72

/** Goes from one prompt to the next by keys, up and down the conversation. */
export function usePromptCommands(
  list: RefObject<VirtualizerHandle | null>,
  rows: readonly Row[],
  letGo: () => void,
): void {
  const last = useRef<{ readonly key: string; readonly offset: number } | null>(null)
  const move = (step: 1 | -1) => {
    const handle = list.current
    if (handle === null) return
    // While the list is where it was brought, the step is from there: a page end may hold it elsewhere than asked for.
    const isThere = last.current !== null && Math.abs(handle.scrollOffset - last.current.offset) < 2
    const before = isThere ? rows.findIndex(({ key }) => key === last.current?.key) : -1
    const here = before < 0 ? handle.findItemIndex(handle.scrollOffset + above + 1) : before
    const row = nextPrompt(rows, here, step)
    if (row === null) return
    letGo()
    handle.scrollToIndex(rows.indexOf(row), { align: 'start', offset: -above })
    requestAnimationFrame(() => {
      last.current = { key: row.key, offset: list.current?.scrollOffset ?? 0 }
    })
  }
  useCommands([
    {
      id: 'prompt-before',
      title: 'Previous message of yours',
      group: 'Session',
      keys: 'shift+k',
      run: () => move(-1),
    },
    {
      id: 'prompt-after',
      title: 'Next message of yours',
      group: 'Session',
      keys: 'shift+j',
      run: () => move(1),
    },
  ])
}
