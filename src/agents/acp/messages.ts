import { asList as listOf, asObject as objectOf, type Json, type JsonObject } from '../../protocol/json.ts'

/**
 * ACP messages are read field by field, without a schema: validating each small line takes too long, and a schema
 * would drop unknown fields. A field of an unexpected type counts as missing.
 */
export { asList as listOf, asObject as objectOf, isObject, type JsonObject } from '../../protocol/json.ts'

/** A value as text; undefined for any other type. */
export function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** A value as a number; undefined for any other type. */
export function numberOf(value: Json | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined
}

/** Whether two values are equal. */
export function same(one: Json | undefined, other: Json | undefined): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}

/** A JSON-RPC id as part of our own ids, the same for the translator and the connection. */
export function idWord(id: Json): string {
  if (typeof id === 'number') return String(id)
  const text = typeof id === 'string' ? id : JSON.stringify(id)
  return `s-${text.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 60)}`
}

/** The approval id for a request of the agent. */
export function approvalOf(connection: string, request: Json): string {
  return `${connection}.ask-${idWord(request)}`
}

/** The request part of an approval id. */
export function requestOf(approval: string): string {
  return approval.slice(approval.lastIndexOf('.ask-') + '.ask-'.length)
}

/** One possible answer to a permission request. */
export interface PermissionOption {
  readonly optionId: string
  readonly name: string
  /** `allow_once`, `allow_always`, `reject_once`, `reject_always`, or a future kind. */
  readonly kind: string
}

/** The options of a permission request; those without an id cannot be chosen and are left out. */
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
