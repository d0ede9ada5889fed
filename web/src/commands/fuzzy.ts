/** How well a text matches, and which of its letters matched. */
export interface Match {
  readonly score: number
  /** The places of the letters, in order. */
  readonly places: readonly number[]
}

const atWordStart = 8
const afterMatch = 6
const perLetterSkipped = 0.2
const exact = 20

/** Matches typed text: each word as a whole if it is found, otherwise its letters in order. */
export function fit(typed: string, text: string): Match | null {
  const lower = text.toLowerCase()
  let sum: Match = { score: 0, places: [] }
  for (const word of typed.toLowerCase().split(/\s+/).filter(Boolean)) {
    const match = fitWhole(word, lower) ?? fitLetters(word, lower)
    if (match === null) return null
    sum = { score: sum.score + match.score, places: [...sum.places, ...match.places] }
  }
  return { score: sum.score - text.length / 100, places: [...new Set(sum.places)].toSorted((a, b) => a - b) }
}

const isWordStart = (text: string, at: number) => at === 0 || /[^\p{L}\p{N}]/u.test(text[at - 1] ?? '')

function fitWhole(word: string, text: string): Match | null {
  let at = text.indexOf(word)
  if (at < 0) return null
  for (let next = at; next >= 0; next = text.indexOf(word, next + 1))
    if (isWordStart(text, next)) {
      at = next
      break
    }
  const places = Array.from(word, (_, letter) => at + letter)
  return { score: exact + word.length * afterMatch + (isWordStart(text, at) ? atWordStart : 0), places }
}

function fitLetters(word: string, text: string): Match | null {
  const places: number[] = []
  let score = 0
  for (const letter of word) {
    const from = (places.at(-1) ?? -1) + 1
    const at = nextLetter(text, letter, from)
    if (at < 0) return null
    if (isWordStart(text, at)) score += atWordStart
    else if (at === from && places.length > 0) score += afterMatch
    score -= (at - from) * perLetterSkipped
    places.push(at)
  }
  return { score, places }
}

/** Prefers the next match at the start of a word over one in the middle of a word. */
function nextLetter(text: string, letter: string, from: number): number {
  const first = text.indexOf(letter, from)
  if (first === from || first < 0 || isWordStart(text, first)) return first
  for (let at = text.indexOf(letter, first + 1); at >= 0; at = text.indexOf(letter, at + 1))
    if (isWordStart(text, at)) return at
  return first
}
