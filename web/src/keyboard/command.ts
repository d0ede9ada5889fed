import { useEffect, useRef, useSyncExternalStore } from 'react'
import { strokesOf } from './keys.ts'

/** Something that can be done from anywhere: by its keys, or in the palette by its title. */
export interface Command {
  /** The same thing has the same id, wherever it is offered. */
  readonly id: string
  /** The label, as an instruction: "Go to the dashboard". */
  readonly title: string
  /** The heading in the palette: "Go to", "Session". */
  readonly group: string
  /**
   * One shortcut or several: 'g d', 'mod+k', '?', ['j', 'alt+down']. `mod` is ⌘ on Apple devices and Ctrl
   * elsewhere.
   */
  readonly keys?: string | readonly string[]
  /** Whether its keys also work while the user types in a field. */
  readonly whileTyping?: boolean
  /** Whether the palette lists it; true by default. */
  readonly inPalette?: boolean
  /** Whether it can run now; always by default. */
  readonly when?: () => boolean
  readonly run: () => void
}

/** The commands of one component: the newest ones, and the ones that are listed. */
interface Offer {
  latest: readonly Command[]
  listed: readonly Command[]
}

const offers = new Set<Offer>()
const listeners = new Set<() => void>()
let all: readonly Command[] = []

function changed(): void {
  // The component mounted last is closest to what the user sees, so the last command with an ID wins.
  all = [...new Map([...offers].flatMap(({ listed }) => listed.map(each => [each.id, each]))).values()]
  for (const listener of listeners) listener()
}

/** Offers commands until the returned function is called. */
export function offer(commands: readonly Command[]): () => void {
  return offering({ latest: commands, listed: commands })
}

function offering(mine: Offer): () => void {
  offers.add(mine)
  changed()
  return () => {
    offers.delete(mine)
    changed()
  }
}

/** Offers commands while the component is there. They need not be the same objects each time. */
export function useCommands(commands: readonly Command[]): void {
  const mine = useRef<Offer>({ latest: [], listed: [] })
  useEffect(() => offering(mine.current), [])
  useEffect(() => {
    const before = mine.current.latest
    mine.current.latest = commands
    // The handlers may change on every render; subscribers only need to know about changed labels.
    if (looks(before) === looks(commands)) return
    mine.current.listed = commands.map((each, at) => lasting(mine.current, each, at))
    changed()
  })
}

/** A stable command object as long as its labels stay the same; it runs the newest handler. */
const lasting = (mine: Offer, command: Command, at: number): Command => ({
  ...command,
  when: () => mine.latest[at]?.when?.() ?? true,
  run: () => mine.latest[at]?.run(),
})

const looks = (commands: readonly Command[]) =>
  JSON.stringify(
    commands.map(({ id, title, group, keys, whileTyping, inPalette }) => [
      id,
      title,
      group,
      keys,
      whileTyping,
      inPalette,
    ]),
  )

/** The commands that are offered now, the latest last. */
export const offered = (): readonly Command[] => all

/** The commands that are offered now, live. */
export function useOffered(): readonly Command[] {
  return useSyncExternalStore(subscribe, offered)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Runs the command with this ID, if it is offered and available now. */
export function runCommand(id: string): void {
  const command = all.find(each => each.id === id)
  if (command !== undefined && isPossible(command)) command.run()
}

/** Whether a command can be done now. */
export const isPossible = ({ when }: Command): boolean => when?.() ?? true

/** The ways to press a command, each as its strokes in order. */
export const waysOf = ({ keys = [] }: Command): readonly (readonly string[])[] =>
  (typeof keys === 'string' ? [keys] : keys).map(strokesOf)
