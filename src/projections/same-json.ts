/** Whether two JSON values say the same; a key without a value counts as missing. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const ones = Object.entries(one).filter(hasValue)
  const others = new Map(Object.entries(other).filter(hasValue))
  return (
    ones.length === others.size &&
    ones.every(([key, value]) => others.has(key) && sameJson(value, others.get(key)))
  )
}

const hasValue = ([, value]: readonly [string, unknown]) => value !== undefined
