import { startTransition, useEffect, useRef, useState } from 'react'
import { createMemory } from '../memory.ts'
import type { ColouredLine } from './coloured.ts'
import { languageOf, type Language } from './language-names.ts'

/** Longer texts stay plain. */
const longest = 60_000
/** How long a text that is still being written waits for new colours. */
const pause = 500

/** The lines that have colours so far: all of a text, or those at its beginning. */
export interface Colours {
  readonly text: string
  readonly language: Language
  readonly lines: readonly ColouredLine[]
}

/** The highlighted lines of code: none at first, then those of the text when it was last requested. */
export function useColours(text: string, written: string | undefined, streaming: boolean): Colours | null {
  const language = text === '' || text.length > longest ? undefined : languageOf(written)
  const [colours, setColours] = useState(() => recall(text, language))
  const askedAt = useRef(-Infinity)
  const isDone = colours?.text === text && colours.language === language
  useEffect(() => {
    if (language === undefined || isDone || typeof Worker === 'undefined') return
    const ask = async () => {
      askedAt.current = performance.now()
      const { colour } = await import('./highlighter.ts')
      const lines = await colour(text, language)
      if (lines === null) return
      if (!streaming) keepColours(text, language, lines)
      startTransition(() => setColours({ text, language, lines }))
    }
    const wait = streaming ? Math.max(0, askedAt.current + pause - performance.now()) : 0
    // The text can be read without colors too.
    const timer = setTimeout(() => void ask().catch(() => setColours(null)), wait)
    return () => clearTimeout(timer)
  }, [text, language, streaming, isDone])
  return colours !== null && colours.language === language && text.startsWith(colours.text) ? colours : null
}

function recall(text: string, language: Language | undefined): Colours | null {
  const lines = language && recallColours(text, language)
  return lines && language ? { text, language, lines } : null
}

const memory = createMemory<readonly ColouredLine[]>(300)
const keyOf = (text: string, language: Language) => `${language}\n${text}`

/** The highlighted lines of a text seen before, so that it is highlighted at once when it is shown again. */
const recallColours = (text: string, language: Language): readonly ColouredLine[] | undefined =>
  memory.recall(keyOf(text, language))

/** Saves the lines of a text. */
const keepColours = (text: string, language: Language, lines: readonly ColouredLine[]): void =>
  memory.keep(keyOf(text, language), lines)
