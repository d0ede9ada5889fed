import { createContext } from 'react'
import type { Token } from 'marked'

/** The headings above a block, outermost first: their levels, one digit each. */
export type Outline = string

/** How a token changes the outline for the tokens after it. */
export function outlineAfter(outline: Outline, token: Token): Outline {
  if (token.type !== 'heading') return outline
  const depth = Number(token['depth'])
  return `${outline.replaceAll(/\d/g, each => (Number(each) < depth ? each : ''))}${depth}`
}

/** The page and the conversation have titles already: headings in a text start below them and skip no level. */
export const headingLevel = (outline: Outline): 'h3' | 'h4' | 'h5' | 'h6' =>
  levels[outline.length - 1] ?? 'h6'

const levels = ['h3', 'h4', 'h5', 'h6'] as const

/** Passed to the children of a heading, and to the heading itself. */
export const OutlineContext = createContext<Outline>('')
