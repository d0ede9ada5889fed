import { useState } from 'react'

/** The cards that somebody opened, and those that somebody closed: a long list forgets what is out of sight. */
const known = new Map<string, boolean>()

/** Whether a card is open; it stays so when it goes out of sight and comes back. */
export function useOpen(card: string, first: boolean): readonly [open: boolean, toggle: () => void] {
  const [open, setOpen] = useState(known.get(card) ?? first)
  const toggle = () => {
    known.set(card, !open)
    setOpen(!open)
  }
  return [open, toggle]
}
