/** What of a key press matters here. */
export type Press = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** Whether this is an Apple device, where ⌘ replaces Ctrl. */
export const onApple: boolean = /mac|iphone|ipad/i.test(globalThis.navigator?.platform ?? '')

const modifiers = ['mod', 'ctrl', 'alt', 'shift'] as const

/** The strokes of a way to press something: 'g d' is two, 'shift+mod+k' is one, its parts in order. */
export const strokesOf = (keys: string): readonly string[] => keys.trim().split(/\s+/).map(inOrder)

/** The modifiers, then the key. */
const partsOf = (stroke: string) => stroke.split(/(?<=[^+])\+(?=.)/)

function inOrder(stroke: string): string {
  const parts = partsOf(stroke.toLowerCase())
  const held = modifiers.filter(each => parts.slice(0, -1).includes(each))
  return [...held, parts.at(-1)].join('+')
}

const names: Readonly<Record<string, string>> = {
  ' ': 'space',
  arrowup: 'up',
  arrowdown: 'down',
  arrowleft: 'left',
  arrowright: 'right',
}

/** The stroke of a key press; none while only a modifier is down. */
export function strokeOf(press: Press, apple: boolean = onApple): string | null {
  if (/^(control|meta|alt|shift|altgraph|capslock|dead|process|unidentified)$/i.test(press.key)) return null
  const key = keyOf(press)
  const held = {
    mod: apple ? press.metaKey : press.ctrlKey,
    ctrl: apple && press.ctrlKey,
    alt: press.altKey,
    // A character such as ? is matched as typed, whatever modifiers this keyboard needs for it.
    shift: press.shiftKey && (key.length > 1 || /\p{L}/u.test(key)),
  }
  // The other one belongs to the system.
  if (!apple && press.metaKey) return null
  return [...modifiers.filter(each => held[each]), key].join('+')
}

/** With Alt, some keyboards type other letters; then the key's position is used. */
function keyOf({ key, code, altKey }: Press): string {
  const letter = altKey ? /^(?:Key|Digit)(.)$/.exec(code)?.[1] : undefined
  const name = (letter ?? key).toLowerCase()
  return names[name] ?? name
}

const onMac: Readonly<Record<string, string>> = { mod: '⌘', ctrl: '⌃', alt: '⌥', shift: '⇧' }
const elsewhere: Readonly<Record<string, string>> = { mod: 'Ctrl', ctrl: 'Ctrl', alt: 'Alt', shift: 'Shift' }
const signs: Readonly<Record<string, string>> = {
  up: '↑',
  down: '↓',
  left: '←',
  right: '→',
  escape: 'Esc',
  enter: 'Enter',
  space: 'Space',
}

/** The keys of a stroke as they are written on this machine's keyboard: Ctrl and K, or ⌘ and K. */
export function labelsOf(stroke: string, apple: boolean = onApple): readonly string[] {
  const parts = partsOf(stroke)
  const held = apple ? onMac : elsewhere
  return parts.map((part, at) =>
    at < parts.length - 1 ? (held[part] ?? part) : (signs[part] ?? capital(part, parts.length > 1)),
  )
}

const capital = (key: string, held: boolean) =>
  key.length > 1 ? `${key[0]?.toUpperCase()}${key.slice(1)}` : held ? key.toUpperCase() : key
