import { useSyncExternalStore } from 'react'

/** Progress in a tour. */
export interface Tour {
  /** Which step is shown, from 0 on. */
  readonly step: number
  /** The steps whose prompts were sent. */
  readonly sent: readonly number[]
}

type Tours = Readonly<Record<string, Tour>>

const kept = 'dragoman:tours'
const changed = 'dragoman:tours-changed'
const most = 20

let text: string | null = null
let tours: Tours = {}

/** The stored tours; the same object while nothing changed. */
function toursNow(): Tours {
  const now = read()
  if (now === text) return tours
  text = now
  tours = parsed(now)
  return tours
}

function read(): string {
  try {
    return localStorage.getItem(kept) ?? '{}'
  } catch {
    // Without storage, the tour lasts until the page is closed.
    return text ?? '{}'
  }
}

function parsed(value: string): Tours {
  try {
    const all: unknown = JSON.parse(value)
    const entries = typeof all === 'object' && all !== null ? Object.entries(all) : []
    return Object.fromEntries(entries.filter((each): each is [string, Tour] => isTour(each[1])))
  } catch {
    // Invalid data was not saved by us.
    return {}
  }
}

const isTour = (value: unknown): value is Tour =>
  typeof value === 'object' &&
  value !== null &&
  'step' in value &&
  Number.isInteger(value.step) &&
  'sent' in value &&
  Array.isArray(value.sent)

/** Saves the progress of a tour in a session; null ends it. */
export function keepTour(session: string, tour: Tour | null): void {
  const { [session]: _, ...others } = toursNow()
  const rest = Object.entries(others).slice(-(most - 1))
  const next = JSON.stringify(Object.fromEntries(tour === null ? rest : [...rest, [session, tour]]))
  text = next
  tours = parsed(next)
  try {
    localStorage.setItem(kept, next)
  } catch {
    // It lasts until the page is closed.
  }
  window.dispatchEvent(new Event(changed))
}

function subscribe(listener: () => void): () => void {
  window.addEventListener(changed, listener)
  window.addEventListener('storage', listener)
  return () => {
    window.removeEventListener(changed, listener)
    window.removeEventListener('storage', listener)
  }
}

/** The tour in a session, if there is one; live, also from another tab. */
export const useTour = (session: string): Tour | null =>
  useSyncExternalStore(subscribe, () => toursNow()[session] ?? null)
