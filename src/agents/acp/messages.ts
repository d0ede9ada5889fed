import { asList as listOf, asObject as objectOf, type Json, type JsonObject } from '../../protocol/json.ts'

/**
 * What ACP says is read by hand and loosely, field by field: a stream of small lines leaves no time for schemas, and a
 * schema would strip what it does not know. A field of another shape than expected counts as missing.
 */
export { asList as listOf, asObject as objectOf, isObject, type JsonObject } from '../../protocol/json.ts'

/** A value as text; undefined when it is none. */
export function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** A value as a number; undefined when it is none. */
export function numberOf(value: Json | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined
}

/** Whether two values say the same. */
export function same(one: Json | undefined, other: Json | undefined): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}

/** A JSON-RPC id as a word that can be part of an id of ours, the same for the translator and the connection. */
export function idWord(id: Json): string {
  if (typeof id === 'number') return String(id)
  const text = typeof id === 'string' ? id : JSON.stringify(id)
  return `s-${text.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 60)}`
}

/** The id of the approval that a request of the agent becomes. */
export function approvalOf(connection: string, request: Json): string {
  return `${connection}.ask-${idWord(request)}`
}

/** The word of the request that an approval stands for. */
export function requestOf(approval: string): string {
  return approval.slice(approval.lastIndexOf('.ask-') + '.ask-'.length)
}

/** One way in which a request for permission can be answered. */
export interface PermissionOption {
  readonly optionId: string
  readonly name: string
  /** `allow_once`, `allow_always`, `reject_once`, `reject_always`, or a kind of the future. */
  readonly kind: string
}

/** The options of a request for permission; those without an id cannot be chosen and are left out. */
export function optionsOf(params: JsonObject): readonly PermissionOption[] {
  return listOf(params['options']).flatMap(option => {
    const { optionId, name, kind } = objectOf(option)
    if (typeof optionId !== 'string') return []
    return [{ optionId, name: textOf(name) ?? optionId, kind: textOf(kind) ?? '' }]
  })
}

/** All the text in a list of content blocks, joined. */
export function textIn(blocks: readonly Json[]): string {
  return blocks
    .map(block => {
      const { type, text } = objectOf(block)
      return type === 'text' && typeof text === 'string' ? text : ''
    })
    .join('')
}
