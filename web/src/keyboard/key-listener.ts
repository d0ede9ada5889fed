import { isPossible, offered, waysOf, type Command } from './command.ts'
import { strokeOf } from './keys.ts'

/** How long the second key of a sequence may take. */
const patience = 1200

/** The keys that were pressed of a sequence, and when the last one was. */
export interface Pressed {
  readonly strokes: readonly string[]
  readonly at: number
}

/** Nothing was pressed yet. */
export const nothing: Pressed = { strokes: [], at: 0 }

/** The result of a key press: a command to run, or a sequence that may continue. */
export interface Outcome {
  readonly pressed: Pressed
  readonly command: Command | null
}

/** Processes one keystroke. Of commands with the same keys, the last one wins. */
export function press(
  { strokes, at }: Pressed,
  stroke: string,
  now: number,
  commands: readonly Command[],
): Outcome {
  const sequence = now - at <= patience ? [...strokes, stroke] : [stroke]
  for (const tried of sequence.length > 1 ? [sequence, [stroke]] : [sequence]) {
    const command = commands.findLast(each => waysOf(each).some(way => isSame(way, tried)))
    if (command !== undefined) return { pressed: nothing, command }
    const goesOn = commands.some(each => waysOf(each).some(way => isSame(way.slice(0, tried.length), tried)))
    if (goesOn) return { pressed: { strokes: tried, at: now }, command: null }
  }
  return { pressed: nothing, command: null }
}

const isSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((stroke, at) => stroke === other[at])

/** Whether a key press goes to a text field. */
export function isTyping(target: EventTarget | undefined): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement)
    return !/^(checkbox|radio|button|submit|range|file)$/.test(target.type)
  return (
    target.isContentEditable ||
    target.matches('textarea, select, [contenteditable=""], [contenteditable=true]')
  )
}

/** Runs commands by their keys, until the returned function is called. An open dialog has its own keys. */
export function listenForKeys(): () => void {
  let pressed = nothing
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || event.repeat) return
    const stroke = strokeOf(event)
    if (stroke === null || document.querySelector('dialog[open]') !== null) return
    const typing = isTyping(event.composedPath()[0])
    const possible = offered().filter(each => (!typing || each.whileTyping === true) && isPossible(each))
    const outcome = press(pressed, stroke, event.timeStamp, possible)
    ;({ pressed } = outcome)
    if (outcome.command === null) return
    event.preventDefault()
    outcome.command.run()
  }
  window.addEventListener('keydown', onKey)
  return () => window.removeEventListener('keydown', onKey)
}
