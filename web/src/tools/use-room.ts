import { useMemo, useState } from 'react'
import { headOf, tailOf, type Room, type ShownPart } from './shown-part.ts'

/** The first screen of a text, and what every further press of "Show more" adds. */
const first: Room = { lines: 40, characters: 6000 }
const more: Room = { lines: 2000, characters: 100_000 }

/** Whether so little would be left out that it is shown too. */
const isLittle = (left: Room, room: Room): boolean =>
  left.lines <= room.lines / 5 && left.characters <= room.characters / 5

/** As much of a text as is shown now: its beginning, or its end while it grows. */
export function useRoom(
  text: string,
  { tail = false, start = first }: { readonly tail?: boolean; readonly start?: Room } = {},
): ShownPart & { readonly showMore: () => void } {
  const [presses, press] = useState(0)
  const part = useMemo(() => {
    const room = {
      lines: start.lines + presses * more.lines,
      characters: start.characters + presses * more.characters,
    }
    const cut = tail ? tailOf(text, room) : headOf(text, room)
    return isLittle(cut.left, room) ? { text, left: { lines: 0, characters: 0 } } : cut
  }, [text, tail, presses, start])
  return { ...part, showMore: () => press(presses + 1) }
}
