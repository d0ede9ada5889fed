/** The fields of one server-sent event that mean something to us. A comment has none of them. */
export interface ServerEvent {
  readonly event?: string
  readonly id?: string
  readonly data?: string
}

/** Cuts the text of a stream of server-sent events into events, each as it was sent. */
export interface EventCutter {
  /** Takes more of the stream, and returns the events that are complete by now. */
  add(text: string): readonly string[]
  /** Takes out the beginning of the event that is not complete. */
  rest(): string
}

/** One empty line or more, with the end of the line before: a line ends with `\n`, `\r\n` or `\r`. */
const between = /\r?\n[\r\n]+|\r\r[\r\n]*/
const longestBetween = 4

/**
 * Creates the one reader of server-sent events that we have. Bytes that may not be UTF-8 can be read too, as text with one
 * letter for each byte (`latin1`): everything that the format looks for is ASCII.
 */
export function createEventCutter(): EventCutter {
  let pieces: string[] = []
  let tail = ''
  const rest = () => pieces.splice(0).join('')
  return {
    add(text) {
      // An event may be very long: only the new text is searched, with the last letters before it.
      const recent = tail + text
      tail = recent.slice(-longestBetween)
      pieces.push(text)
      if (!between.test(recent)) return []
      const events = rest().split(between)
      pieces = events.splice(-1)
      return events
    },
    rest,
  }
}

/** Reads the fields of one event. One that comes again adds a line to its text, as `data` may. */
export function readServerEvent(text: string): ServerEvent {
  const found: Record<string, string> = {}
  for (const line of text.split(/[\r\n]+/)) {
    const start = line.indexOf(':') + 1 || line.length + 1
    const name = line.slice(0, start - 1)
    const value = line.slice(line[start] === ' ' ? start + 1 : start)
    found[name] = name in found ? `${found[name]}\n${value}` : value
  }
  return found
}
