import type { ReactNode } from 'react'
import type { MarkedToken, Token } from 'marked'
import type { MathsToken } from './maths/maths-tokens.ts'

/** Any token of the lexer. */
export type AnyToken = MarkedToken | MathsToken

type Kind = AnyToken['type']

/** How tokens are drawn, kind by kind. */
export type Drawers = {
  readonly [K in Kind]?: (token: Extract<AnyToken, { type: K }>, open: boolean) => ReactNode
}

/** Draws a token as its kind is drawn; undefined where these drawers do not know it. */
export function drawn(drawers: Drawers, token: Token, open = false): ReactNode | undefined {
  const known = token as AnyToken
  const draw = drawers[known.type] as ((token: AnyToken, open: boolean) => ReactNode) | undefined
  return draw?.(known, open)
}
