/** The data of one event of a stream of server-sent events; null for comments and for events without data. */
export function dataOf(block: string): string | null {
  if (block.startsWith('{')) return block
  const lines = block.split(/\r\n|\r|\n/).flatMap(line => {
    if (!line.startsWith('data:')) return []
    return [line.slice(line[5] === ' ' ? 6 : 5)]
  })
  return lines.length === 0 ? null : lines.join('\n')
}

/** Cuts a stream of text into events. */
export interface BlockCutter {
  /** Takes more of the stream, and gives the events that are complete by now. */
  add(text: string): readonly string[]
  /** What is left when the stream has ended. */
  rest(): string
  /** How much of an event waits for its end. */
  waiting(): number
}

const between = /\r\n\r\n|\n\n|\r\r(?!\n)/
const longestBetween = 4

/** Cuts a stream of text into events as they stood there, without the empty lines between them. */
export function createBlockCutter(): BlockCutter {
  let pieces: string[] = []
  let [size, tail] = [0, '']
  const keep = (text: string) => {
    pieces.push(text)
    size += text.length
    tail = (tail + text).slice(-longestBetween)
  }
  const take = () => {
    const all = pieces.join('')
    pieces = []
    size = 0
    tail = ''
    return all
  }
  return {
    add(text) {
      // Only what is new is looked through, and what an end may have been cut in: an event may be very long.
      const isOver = between.test(tail + text)
      keep(text)
      if (!isOver) return []
      const blocks = take().split(between)
      keep(blocks.pop() ?? '')
      return blocks.map(block => block.replace(/^[\r\n]+/, '')).filter(block => block !== '')
    },
    rest: () => withoutBreaks(take()),
    waiting: () => size,
  }
}

/** The text without the line breaks around it. */
function withoutBreaks(text: string): string {
  const first = text.search(/[^\r\n]/)
  let end = text.length
  while (end > 0 && (text[end - 1] === '\n' || text[end - 1] === '\r')) end -= 1
  return first === -1 ? '' : text.slice(first, end)
}
