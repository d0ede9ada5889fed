import { definedEntries } from '../protocol/json.ts'

/** Whether two JSON values are equal; a key without a value counts as missing. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const ones = definedEntries(one)
  const others = new Map(definedEntries(other))
  return (
    ones.length === others.size &&
    ones.every(([key, value]) => others.has(key) && sameJson(value, others.get(key)))
  )
}
