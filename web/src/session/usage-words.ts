import type { SessionFacts } from 'dragoman/client'
import { counted, dollars, short } from '../ui/amounts.ts'

type Used = Pick<SessionFacts, 'cost' | 'tokens'>

/** Input includes cache reads and writes. */
const goneIn = ({ input, cacheRead, cacheWrite }: Used['tokens']) => input + cacheRead + cacheWrite

/** Cost and tokens for the header; null where nothing was used or reported. */
export function usageWords({ cost, tokens }: Used): {
  readonly cost: string | null
  readonly tokens: string | null
} {
  const all = goneIn(tokens) + tokens.output
  return {
    cost: cost === null || (cost === 0 && all === 0) ? null : dollars(cost),
    tokens: all === 0 ? null : counted(all, 'token', short),
  }
}

/** The same, with the tokens by kind. */
export const usageLines = ({ cost, tokens }: Used): readonly (readonly [name: string, value: string])[] => [
  ['Cost', cost === null ? 'not reported' : dollars(cost)],
  ['Input tokens', short(tokens.input)],
  ['Output tokens', short(tokens.output)],
  ['Cache read', short(tokens.cacheRead)],
  ['Cache write', short(tokens.cacheWrite)],
]
