/** Reads JSON text as it grows and knows where it could be cut, and how it would then have to be closed. */
export interface JsonScan {
  /** The length of the longest beginning that makes sense once closed. */
  readonly safe: number
  /** Reads on from where the last call stopped; `text` must begin with what was read before. */
  read(text: string): void
  /** The characters that close everything still open. */
  closing(): string
}

/*
 * Each place in the text is a character:
 * R before the whole value, E after it
 * { after `{`, N after a comma in an object, K in a key, C after a key, V before a value, P after a value
 * [ after `[`, I after a comma in an array, Q after an item
 * " in a string, X after a backslash, U in the digits of `\u`
 * 0 in a number; t, f and n in `true`, `false` and `null`
 */

type Table = Readonly<Record<string, string | undefined>>

/** What takes the place of the innermost place, by that place and the next character. */
const steps: Table = {
  '{"': 'K',
  'N"': 'K',
  'K"': 'C',
  'C:': 'V',
  'P,': 'N',
  'Q,': 'I',
  '"\\': '"X',
  Xu: 'U',
  '{}': '',
  'P}': '',
  '[]': '',
  'Q]': '',
  '""': '',
}
/** The places where a value may begin, and the place after it. */
const rests: Table = { R: 'E', V: 'P', '[': 'Q', I: 'Q' }
const literals: Table = { t: 'rue', f: 'alse', n: 'ull' }

/** Starts reading. Follows the AI SDK's repair of partial JSON (v7), so that both show the same incomplete input. */
export function createJsonScan(): JsonScan {
  const stack = ['R']
  let [position, safe, digits, literal] = [0, 0, 0, '']
  /** Replaces the innermost place. */
  const go = (places: string, isSafe: boolean) => {
    stack.splice(-1, 1, ...places.split(''))
    if (isSafe) safe = position
  }
  /** Whether a character is in the number or literal; what ends it already belongs to the container. */
  const continuesScalar = (scalar: string, char: string) => {
    const isMore = scalar === '0' ? /\d/.test(char) : char === literal[0]
    literal = isMore ? literal.slice(1) : ''
    const isInside = isMore || (scalar === '0' && /[eE.-]/.test(char))
    go(isInside ? scalar : '', isMore)
    return isInside
  }
  const readPlace = (place: string, char: string) => {
    const rest = rests[place]
    if (rest && /["{[tfn\d-]/.test(char)) {
      literal = literals[char] ?? ''
      go(rest + char.replace(/[\d-]/, '0'), char !== '-')
    } else if (place === 'Q') safe = position
    else if (place === 'X' || (place === 'U' && /[\da-f]/i.test(char) && ++digits % 4 === 0)) go('', true)
  }
  const read = (char: string) => {
    const scalar = /[0tfn]/.exec(stack.at(-1) ?? '')?.[0]
    if (scalar && continuesScalar(scalar, char)) return
    const place = stack.at(-1) ?? ''
    const next = steps[place + char]
    if (next !== undefined) go(next, next === '')
    else if (place === '"') safe = position
    else if (!scalar) readPlace(place, char)
  }
  return {
    get safe() {
      return safe
    },
    read(text) {
      while (position < text.length) read(text.charAt(position++))
    },
    closing: () =>
      literal +
      stack
        .toReversed()
        .join('')
        .replaceAll(/[{NKCVP]/g, '}')
        .replaceAll(/[[IQ]/g, ']')
        .replaceAll(/\w/g, ''),
  }
}
