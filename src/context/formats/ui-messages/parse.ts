import { isObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { Place } from '../codec.ts'
import { contentOf } from '../content/tool-value.ts'
import type { CallPart, FilePart, Part, ResultPart } from '../conversation.ts'
import { fromAddress } from '../file-source.ts'
import { objectAt, textAt } from '../look.ts'
import { parseSeal } from './seal.ts'

const format = 'ui-messages'

/** The parts of a UI message part: of a tool part, the call and the result. */
export function parse(json: Json, place: Place): readonly Part[] {
  const { id } = place
  if (!isObject(json)) return [{ id, kind: 'unknown', name: 'not-a-part', native: { format, json } }]
  const call = parseCall(json, id)
  if (call !== undefined) return [call, ...parseResult(json, call.call, call.tool, place)]
  if (!('type' in json) && 'state' in json)
    return parseResult(json, place.call ?? '', place.toolOf?.(place.call ?? '') ?? null, place)
  const type = textAt(json, 'type') ?? 'unknown'
  const part = parseText(json, type, id) ?? parseFile(json, type, id) ?? { id, kind: 'unknown', name: type }
  return [{ ...part, native: { format, json } }]
}

function parseText(json: JsonObject, type: string, id: string): Part | undefined {
  const text = textAt(json, 'text')
  if ((type !== 'text' && type !== 'reasoning') || text === undefined) return undefined
  return { id, kind: type, text, ...parseSeal(json['providerMetadata']) }
}

function parseFile(json: JsonObject, type: string, id: string): FilePart | undefined {
  const url = textAt(json, 'url')
  const mediaType = textAt(json, 'mediaType')
  const name = textAt(json, 'filename')
  if (type !== 'file' || url === undefined || mediaType === undefined) return undefined
  const file = fromAddress(url, mediaType)
  return {
    id,
    kind: 'file',
    ...file,
    mediaType: file.mediaType === mediaType ? mediaType : file.mediaType,
    ...(name !== undefined && { name }),
    ...parseSeal(json['providerMetadata']),
  }
}

function parseCall(json: JsonObject, id: string): CallPart | undefined {
  const type = textAt(json, 'type') ?? ''
  const call = textAt(json, 'toolCallId')
  const tool = type === 'dynamic-tool' ? textAt(json, 'toolName') : /^tool-(.+)$/s.exec(type)?.[1]
  if (call === undefined || tool === undefined) return undefined
  return {
    id,
    kind: 'call',
    call,
    tool,
    input: json['input'] ?? {},
    ...parseDenial(objectAt(json, 'approval')),
    ...(json['providerExecuted'] === true && { isProviderExecuted: true }),
    ...parseSeal(json['callProviderMetadata']),
    native: { format, json: withoutResult(json) },
  }
}

const parseDenial = (approval: JsonObject): { readonly denial?: string } =>
  approval['approved'] === false ? { denial: textAt(approval, 'reason') ?? '' } : {}

/** The call's native JSON without the result, which is in the result part. */
function withoutResult(json: JsonObject): JsonObject {
  if (json['state'] === 'output-available' && 'output' in json) return { ...json, output: null }
  return json['state'] === 'output-error' && 'errorText' in json ? { ...json, errorText: '' } : json
}

function parseResult(
  json: JsonObject,
  call: string,
  tool: string | null,
  { id }: Place,
): readonly ResultPart[] {
  const state = textAt(json, 'state')
  const part = state === 'output-error' ? 'errorText' : 'output'
  if (state !== 'output-available' && state !== 'output-error') return []
  const value = json[part]
  const isProvided = json['providerExecuted'] === true
  return [
    {
      id: `${id}.result`,
      kind: 'result',
      call,
      tool,
      content: contentOf(value, `${id}.result`),
      isError: state === 'output-error',
      ...(isProvided && { isProviderExecuted: true }),
      native: { format, json: value === undefined ? { state } : { state, [part]: value } },
    },
  ]
}
