import { createMemory } from '../memory.ts'
import type { ColouredLine } from './coloured.ts'
import type { Language } from './language-names.ts'

const memory = createMemory<readonly ColouredLine[]>(300)
const keyOf = (text: string, language: Language) => `${language}\n${text}`

/** The lines of a text if they had colours before, so that what is shown again has them at once. */
export const recallColours = (text: string, language: Language): readonly ColouredLine[] | undefined =>
  memory.recall(keyOf(text, language))

/** Keeps the lines of a text. */
export const keepColours = (text: string, language: Language, lines: readonly ColouredLine[]): void =>
  memory.keep(keyOf(text, language), lines)
