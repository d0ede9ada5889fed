import { createContext } from 'react'
import type { Token } from 'marked'

/** The headings that something stands under, outermost first: how deep each was written, one digit for each. */
export type Outline = string

/** What a token changes of the outline for those that come after it. */
export function outlineAfter(outline: Outline, token: Token): Outline {
  if (token.type !== 'heading') return outline
  const depth = Number(token['depth'])
  return `${outline.replaceAll(/\d/g, each => (Number(each) < depth ? each : ''))}${depth}`
}

/** The page has a title of its own, and the conversation one, too: headings in a text begin below these and leave no level out. */
export const headingLevel = (outline: Outline): 'h3' | 'h4' | 'h5' | 'h6' =>
  levels[outline.length - 1] ?? 'h6'

const levels = ['h3', 'h4', 'h5', 'h6'] as const

/** Given to what is drawn, itself included if it is a heading. */
export const OutlineContext = createContext<Outline>('')
