import { useCallback, useState } from 'react'
import type { InspectTarget } from '../inspector/target.ts'

const names = ['outline', 'work-log', 'context', 'inspector'] as const

/** The panels next to a conversation. */
export type PanelName = (typeof names)[number]

/** The side panel: whether it is open, its tab, and the target of the inspector. */
export interface PanelChoice {
  readonly isOpen: boolean
  readonly shown: PanelName
  /** The whole session unless the user chose a part of it. */
  readonly target: InspectTarget
}

const wholeSession: InspectTarget = { seq: 1 }
const kept = 'dragoman:panel'

/** Reads the saved choice; anything invalid counts as none. */
export function readPanel(text: string | null): PanelChoice {
  const shown = names.find(name => text?.endsWith(` ${name}`)) ?? 'work-log'
  return { isOpen: text?.startsWith('open ') ?? false, shown, target: wholeSession }
}

/** The stored form. */
export const panelText = ({ isOpen, shown }: PanelChoice): string => `${isOpen ? 'open' : 'closed'} ${shown}`

function keep(choice: PanelChoice): PanelChoice {
  try {
    localStorage.setItem(kept, panelText(choice))
  } catch {
    // Without storage, this lasts as long as the page.
  }
  return choice
}

function start(isRoomy: boolean): PanelChoice {
  try {
    const choice = readPanel(localStorage.getItem(kept))
    // A drawer covers the conversation, so it never opens on its own.
    return isRoomy ? choice : { ...choice, isOpen: false }
  } catch {
    return readPanel(null)
  }
}

/** The panel, and how it is changed. */
export interface UsedPanel extends PanelChoice {
  readonly show: (name: PanelName) => void
  readonly open: (isOpen: boolean) => void
  readonly inspect: (target: InspectTarget) => void
}

/** The open panel, remembered from one session to the next. */
export function usePanel(isRoomy: boolean): UsedPanel {
  const [choice, set] = useState(() => start(isRoomy))
  const show = useCallback((shown: PanelName) => set(now => keep({ ...now, isOpen: true, shown })), [])
  const open = useCallback((isOpen: boolean) => set(now => keep({ ...now, isOpen })), [])
  const inspect = useCallback(
    (target: InspectTarget) => set(now => keep({ ...now, isOpen: true, shown: 'inspector', target })),
    [],
  )
  return { ...choice, show, open, inspect }
}
