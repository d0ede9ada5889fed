/** Reads JSON text as it grows and knows where it could be cut, and how it would then have to be closed. */
export interface JsonScan {
  /** The length of the longest beginning that makes sense once closed. */
  readonly safe: number
  /** Reads on from where the last call stopped; `text` must begin with what was read before. */
  read(text: string): void
  /** The characters that close everything still open. */
  closing(): string
}

/** Where in the text a character stands. Containers have one place for each thing they may expect. */
type Place =
  | 'root'
  | 'end'
  | 'object'
  | 'next-key'
  | 'key'
  | 'colon'
  | 'value'
  | 'object-rest'
  | 'array'
  | 'item'
  | 'array-rest'
  | 'string'
  | 'escape'
  | 'unicode'
  | 'number'
  | 'literal'

interface State {
  readonly stack: Place[]
  safe: number
  literal: string
  matched: number
  digits: number
}

const literals: Readonly<Record<string, string>> = { t: 'true', f: 'false', n: 'null' }

/** Starts reading. Follows the AI SDK's repair of partial JSON (v7), so that both show the same half-said input. */
export function createJsonScan(): JsonScan {
  const state: State = { stack: ['root'], safe: 0, literal: '', matched: 0, digits: 0 }
  let position = 0
  return {
    get safe() {
      return state.safe
    },
    read(text) {
      for (; position < text.length; position += 1) {
        const place = state.stack.at(-1) ?? 'end'
        steps[place](state, text.charAt(position), position + 1)
      }
    },
    closing: () => state.stack.toReversed().reduce((text, place) => text + closerOf(place, state), ''),
  }
}

function closerOf(place: Place, state: State): string {
  if (place === 'string') return '"'
  if (place === 'literal') return state.literal.slice(state.matched)
  if (/array|item/.test(place)) return ']'
  return /object|key|colon|value/.test(place) ? '}' : ''
}

type Step = (state: State, char: string, end: number) => void

/** What each place makes of the next character; one that means nothing there is passed over. */
const steps: Readonly<Record<Place, Step>> = {
  root: (state, char, end) => beginValue(state, char, end, 'end'),
  end: () => {},
  object: (state, char, end) => {
    if (char === '"') move(state, 'key')
    else if (char === '}') leave(state, end)
  },
  'next-key': (state, char) => {
    if (char === '"') move(state, 'key')
  },
  key: (state, char) => {
    if (char === '"') move(state, 'colon')
  },
  colon: (state, char) => {
    if (char === ':') move(state, 'value')
  },
  value: (state, char, end) => beginValue(state, char, end, 'object-rest'),
  'object-rest': afterValue,
  array: (state, char, end) => {
    if (char === ']') leave(state, end)
    else beginValue(state, char, end, 'array-rest')
  },
  item: (state, char, end) => beginValue(state, char, end, 'array-rest'),
  'array-rest': (state, char, end) => {
    if (!',]'.includes(char)) state.safe = end
    else afterValue(state, char, end)
  },
  string: (state, char, end) => {
    if (char === '\\') state.stack.push('escape')
    else if (char === '"') leave(state, end)
    else state.safe = end
  },
  escape: (state, char, end) => {
    state.stack.pop()
    state.digits = 0
    if (char === 'u') state.stack.push('unicode')
    else state.safe = end
  },
  unicode: (state, char, end) => {
    if (/[0-9a-f]/i.test(char)) state.digits += 1
    if (state.digits === 4) leave(state, end)
  },
  number: (state, char, end) => {
    if (isDigit(char)) state.safe = end
    else if (!'eE-.'.includes(char)) endScalar(state, char, end)
  },
  literal: (state, char, end) => {
    if (state.literal.charAt(state.matched) !== char) return endScalar(state, char, end)
    state.matched += 1
    state.safe = end
  },
}

const isDigit = (char: string) => char >= '0' && char <= '9'

function move(state: State, place: Place): void {
  state.stack[state.stack.length - 1] = place
}

function leave(state: State, end: number): void {
  state.stack.pop()
  state.safe = end
}

function beginValue(state: State, char: string, end: number, rest: Place): void {
  const place = placeOfValue(char)
  if (place === null) return
  move(state, rest)
  state.stack.push(place)
  state.literal = literals[char] ?? ''
  state.matched = 1
  if (char !== '-') state.safe = end
}

function placeOfValue(char: string): Place | null {
  if (char === '"') return 'string'
  if (char === '{') return 'object'
  if (char === '[') return 'array'
  if (char === '-' || isDigit(char)) return 'number'
  return char in literals ? 'literal' : null
}

/** A number or a word has no closing sign: what follows it already belongs to its container. */
function endScalar(state: State, char: string, end: number): void {
  state.stack.pop()
  afterValue(state, char, end)
}

function afterValue(state: State, char: string, end: number): void {
  const place = state.stack.at(-1)
  if (place === 'object-rest' && char === ',') move(state, 'next-key')
  else if (place === 'object-rest' && char === '}') leave(state, end)
  else if (place === 'array-rest' && char === ',') move(state, 'item')
  else if (place === 'array-rest' && char === ']') leave(state, end)
}
