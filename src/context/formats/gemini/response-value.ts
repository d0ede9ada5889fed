import { isObject, type Json, type JsonObject } from '../../../protocol/json.ts'

/** The value of a function response, and whether it is an error. */
export function parseValue(response: JsonObject): {
  readonly value: Json | undefined
  readonly isError: boolean
} {
  const keys = Object.keys(response)
  if (keys.length === 0) return { value: undefined, isError: false }
  const wrapped = unwrapped(response)
  if (wrapped === undefined) return { value: response, isError: false }
  return { value: wrapped, isError: keys[0] === 'error' }
}

/** A value as a response, which must be an object: Google's guide names the keys `output` and `error`. */
export function serializeValue(value: Json | undefined, isError: boolean): JsonObject {
  if (isError) return { error: value ?? '' }
  if (value === undefined) return {}
  const isItself = isObject(value) && Object.keys(value).length > 0 && unwrapped(value) === undefined
  return isItself ? value : { output: value }
}

/** The value under a lone `output` or `error`; undefined for any other object. */
function unwrapped(response: JsonObject): Json | undefined {
  const [key, ...others] = Object.keys(response)
  if (others.length > 0 || (key !== 'output' && key !== 'error')) return undefined
  const value = response[key]
  if (key === 'error' || !isObject(value)) return value
  return Object.keys(value).length === 0 || unwrapped(value) !== undefined ? value : undefined
}
