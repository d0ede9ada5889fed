/** What a character of the conversation counts, in tokens: measured on recorded usage of real sessions. */
export const tokensPerCharacter = 0.298

/** What a tool call counts beside its input: names, ids, brackets. */
export const tokensPerCall = 40

/** What a tool result counts beside its content. */
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

/** What a block counts with so many characters in it. */
export const tokensOf = (kind: BlockKind, characters: number): number =>
  characters * tokensPerCharacter + extra[kind]

/** How a provider charges for what it has seen before: what reading and writing cost, and how long it remembers. */
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

/** What a request costs, in tokens at the price of a plain one. */
export const costOf = ({ read, write }: CacheModel, cached: number, rest: number): number =>
  read * cached + write * rest
