import type { Step } from '../script.ts'

/** The pause after each word, in milliseconds. */
export const every = 25

/** Says something, word by word. */
export const say = (text: string): Step => ({ type: 'text', text, every })

/** Says the beginning of something that is not brought to an end. */
export const begin = (text: string): Step => ({ type: 'text', text, every, unfinished: true })
