import { isObject, type Json, type JsonObject } from '../../protocol/json.ts'
import { sameJson } from '../../projections/same-json.ts'
import type { ContentPart, Format, Part } from './conversation.ts'

/** How one kind of part is parsed and serialized in a format. */
interface Tongue<Of> {
  readonly format: Format
  readonly parse: (json: Json) => Of | undefined
  readonly serialize: (part: Of) => Json | null
  /** Whether the provider accepts such JSON; by default it does. */
  readonly isSound?: (json: Json) => boolean
  /** The original with the names that `serialize` uses; by default unchanged. */
  readonly spelled?: (json: Json) => Json
}

/** A part in a format: its native JSON if it was not changed, else that JSON with the changes. */
export function express<Of extends Part | ContentPart>(
  part: Of,
  { format, parse, serialize, isSound, spelled }: Tongue<Of>,
): Json | null {
  if (part.native?.format !== format || isSound?.(part.native.json) === false) return serialize(part)
  const original = part.native.json
  const unchanged = parse(original)
  if (unchanged === undefined) return serialize(part)
  const before = serialize(unchanged)
  const now = serialize(part)
  if (unchanged.kind === part.kind && sameJson(before, now)) return original
  const whole = spelled?.(original) ?? original
  return isObject(whole) && isObject(before) && isObject(now) ? laidOver(whole, before, now) : now
}

/** The original with every key that changed. */
function laidOver(original: JsonObject, before: JsonObject, now: JsonObject): JsonObject {
  const gone = Object.keys(before).filter(key => !(key in now))
  const changed = Object.entries(now).filter(([key, value]) => !sameJson(before[key], value))
  const kept = Object.entries(original).filter(([key]) => !gone.includes(key))
  return Object.fromEntries([...kept, ...changed])
}
