import type { Step } from '../script.ts'

/** The pause after each word, in milliseconds. */
export const every = 25

/** A text, streamed word by word. */
export const say = (text: string): Step => ({ type: 'text', text, every })

/** The beginning of a text that stays unfinished. */
export const begin = (text: string): Step => ({ type: 'text', text, every, unfinished: true })
