/** The tokens of a character of the conversation: measured on recorded usage of real sessions. */
export const tokensPerCharacter = 0.298

/** The tokens of a tool call beside its input: names, ids, brackets. */
export const tokensPerCall = 40

/** The tokens of a tool result beside its content. */
export const tokensPerResult = 30

/** The system prompt and the tools, which every request carries. */
export const fixedPrefix = 40_690

/** The size from which a request is too near to the end of a window of 200,000 tokens. */
export const tooLarge = 160_000

/** The kinds of block that a conversation is made of. */
export type BlockKind = 'user' | 'text' | 'thinking' | 'call' | 'result' | 'file'

const extra: Readonly<Record<BlockKind, number>> = {
  user: 0,
  text: 0,
  thinking: 0,
  call: tokensPerCall,
  result: tokensPerResult,
  file: 0,
}

/** The tokens of a block with this many characters. */
export const tokensOf = (kind: BlockKind, characters: number): number =>
  characters * tokensPerCharacter + extra[kind]

/** How a provider charges for cached input: the prices of reading and writing, and how long the cache lives. */
export interface CacheModel {
  readonly name: string
  readonly read: number
  readonly write: number
  readonly seconds: number
}

/** The three ways of charging that the table compares. */
export const cacheModels = {
  fiveMinutes: { name: '5 min', read: 0.1, write: 1.25, seconds: 300 },
  oneHour: { name: '1 h', read: 0.1, write: 2, seconds: 3600 },
  none: { name: 'none', read: 1, write: 1, seconds: 0 },
} as const satisfies Record<string, CacheModel>

/** The cost of a request, in tokens at the price of uncached input. */
export const costOf = ({ read, write }: CacheModel, cached: number, rest: number): number =>
  read * cached + write * rest
