import type { Json, Message, MessagePart } from 'dragoman'

/** A message's metadata. */
export interface MessageUsage {
  readonly model: string | null
  /** Tokens in, cached or not, and tokens out; null when both are zero. */
  readonly tokens: { readonly read: number; readonly written: number } | null
  readonly cost: number | null
  readonly duration: number | null
}

/** Model, tokens, cost and time of a message, final or so far. Nothing where no model was involved. */
export function usageOf({ metadata = {}, parts }: Message): MessageUsage {
  const reported = parts.findLast(part => part.type === 'data-usage')?.data
  const tokens = sum(metadata['tokens'] ?? (reported && { ...reported.tokens }))
  const cost = numberOf(metadata['cost'] ?? reported?.cost)
  const isFree = tokens === null && (cost === null || cost === 0)
  const model = metadata['model'] ?? reported?.model
  return {
    model: typeof model === 'string' && !(isFree && parts.every(isAside)) ? model : null,
    tokens,
    cost: isFree ? null : cost,
    duration: numberOf(metadata['duration']),
  }
}

const numberOf = (value: Json | undefined): number | null => (typeof value === 'number' ? value : null)

/** Whether a part may exist without a model: the output of a user's command is a message too. */
const isAside = ({ type }: MessagePart): boolean => asides.has(type)
const asides: ReadonlySet<MessagePart['type']> = new Set([
  'data-session',
  'data-notice',
  'data-usage',
  'data-limits',
] as const)

function sum(tokens: Json | undefined): MessageUsage['tokens'] {
  if (typeof tokens !== 'object' || tokens === null || Array.isArray(tokens)) return null
  const count = (name: string) => {
    const value = (tokens as Readonly<Record<string, Json>>)[name]
    return typeof value === 'number' ? value : 0
  }
  const [read, written] = [count('input') + count('cacheRead') + count('cacheWrite'), count('output')]
  return read + written === 0 ? null : { read, written }
}

/** Why an answer was cut off; null where it was not. */
export const cutOf = ({ metadata }: Message): string | null => cuts.get(metadata?.['finishReason']) ?? null

const cuts: ReadonlyMap<Json | undefined, string> = new Map([
  ['length', 'Cut off: reached the output limit'],
  ['content-filter', 'Cut off: refused or filtered'],
])

/** The text of a message, for copying. */
export const wordsOf = ({ parts }: Message): string =>
  parts
    .flatMap(part => (part.type === 'text' && part.text.trim() !== '' ? [part.text.trim()] : []))
    .join('\n\n')
