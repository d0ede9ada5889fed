import { isObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import { isList, textAt } from '../look.ts'
import { toolFault } from './tool-faults.ts'
import { isMetadata, misshapenKey, type Shape } from './shape.ts'

/** Whether the AI SDK accepts a part, or the fields that a result adds to one. */
export function isSound(json: Json): boolean {
  const isResult = isObject(json) && !('type' in json) && 'state' in json
  if (!isResult) return partFault(json) === null
  return json['state'] === 'output-error' ? typeof json['errorText'] === 'string' : 'output' in json
}

const metadata: Shape = { mayHave: { providerMetadata: isMetadata } }
const isText = (json: Json) => typeof json === 'string'
const isProgress = (json: Json) => json === 'streaming' || json === 'done'
const isReference = (json: Json) => isObject(json) && Object.values(json).every(isText)
const isSource = (json: Json) =>
  isObject(json) && isObject(json['source']) && sourceFault(json['source']) === null

const file: Shape = {
  mustHave: { mediaType: isText, url: isText },
  mayHave: { ...metadata.mayHave, filename: isText, providerReference: isReference },
}
const text: Shape = { mustHave: { text: isText }, mayHave: metadata.mayHave ?? {} }

/** The kinds of parts besides tools and data, and their required and optional fields. */
const shapes = new Map<string, Shape>([
  [
    'text',
    {
      ...text,
      mayHave: {
        ...text.mayHave,
        state: isProgress,
        citations: json => isList(json) && json.every(isSource),
      },
    },
  ],
  ['reasoning', { ...text, mayHave: { ...text.mayHave, state: isProgress, id: isText } }],
  ['custom', { ...metadata, mustHave: { kind: isText } }],
  [
    'source-url',
    { mustHave: { sourceId: isText, url: isText }, mayHave: { ...metadata.mayHave, title: isText } },
  ],
  [
    'source-document',
    {
      mustHave: { sourceId: isText, mediaType: isText, title: isText },
      mayHave: { ...metadata.mayHave, filename: isText },
    },
  ],
  ['file', file],
  ['reasoning-file', { ...metadata, mustHave: { mediaType: isText, url: isText } }],
  ['steering-message', { mustHave: { id: isText, parts: json => isList(json) && json.every(isSteering) } }],
  ['step-start', {}],
])

/** Why the AI SDK refuses a part; null when it does not. */
export function partFault(part: Json): string | null {
  if (!isObject(part)) return 'is not an object'
  const type = textAt(part, 'type')
  if (type === undefined) return 'has no type'
  if (type === 'dynamic-tool' || type.startsWith('tool-')) return toolFault(part)
  if (type.startsWith('data-'))
    return faultIn(part, { mustHave: { data: () => true }, mayHave: { id: isText } })
  const shape = shapes.get(type)
  return shape === undefined ? `is of the unknown type ${type}` : faultIn(part, shape)
}

function faultIn(part: JsonObject, shape: Shape): string | null {
  const key = misshapenKey(part, shape)
  return key === null ? null : `is of type ${textAt(part, 'type') ?? ''}, but its ${key} is missing or wrong`
}

const isSteering = (json: Json): boolean => {
  const type = textAt(json, 'type')
  if (!isObject(json) || (type !== 'text' && type !== 'file')) return false
  return misshapenKey(json, type === 'text' ? text : file) === null
}

function sourceFault(source: JsonObject): string | null {
  const isUrl = source['sourceType'] === 'url'
  if (source['type'] !== 'source' || (!isUrl && source['sourceType'] !== 'document')) return 'type'
  return misshapenKey(source, {
    mustHave: isUrl ? { id: isText, url: isText } : { id: isText, mediaType: isText, title: isText },
    mayHave: { ...metadata.mayHave, title: isText, ...(!isUrl && { filename: isText }) },
  })
}
