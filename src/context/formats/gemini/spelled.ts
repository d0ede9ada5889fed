import { isObject, type Json, type JsonObject } from '../../../protocol/json.ts'

/** The other names that Google's REST interface takes for the fields of a part. */
const names: Readonly<Record<string, string>> = {
  inline_data: 'inlineData',
  file_data: 'fileData',
  function_call: 'functionCall',
  function_response: 'functionResponse',
  executable_code: 'executableCode',
  code_execution_result: 'codeExecutionResult',
  thought_signature: 'thoughtSignature',
  video_metadata: 'videoMetadata',
}

/** The same for fields inside files and responses. */
const innerNames: Readonly<Record<string, string>> = {
  mime_type: 'mimeType',
  file_uri: 'fileUri',
  display_name: 'displayName',
  will_continue: 'willContinue',
}

const holders = ['inlineData', 'fileData', 'functionResponse']

/** A part under Google's usual names, whichever of its two spellings it came in; itself when there is nothing to change. */
export function spelled(json: Json): Json {
  if (!isObject(json)) return json
  const part = renamed(json, names)
  const inner = holders.flatMap(key => {
    const value = part[key]
    if (!isObject(value)) return []
    const response = renamed(value, innerNames)
    const { parts } = response
    const whole = Array.isArray(parts) ? withParts(response, parts as readonly Json[]) : response
    return whole === value ? [] : [[key, whole] as const]
  })
  return inner.length === 0 ? part : { ...part, ...Object.fromEntries(inner) }
}

function withParts(response: JsonObject, parts: readonly Json[]): JsonObject {
  const respelled = parts.map(spelled)
  return respelled.every((part, at) => part === parts[at]) ? response : { ...response, parts: respelled }
}

function renamed(json: JsonObject, to: Readonly<Record<string, string>>): JsonObject {
  if (!Object.keys(json).some(key => Object.hasOwn(to, key))) return json
  return Object.fromEntries(
    Object.entries(json).map(([key, value]) => [Object.hasOwn(to, key) ? (to[key] ?? key) : key, value]),
  )
}
