import { isObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import { textAt } from '../look.ts'
import { isMetadata, misshapenKey, type Shape } from './shape.ts'

const isText = (json: Json) => typeof json === 'string'
const isBoolean = (json: Json) => typeof json === 'boolean'
const isAnything = () => true

const request: Shape = {
  mustHave: { id: isText },
  mayHave: { requestReason: isText, isAutomatic: isBoolean, signature: isText },
}

const isRequest = (json: Json) =>
  isObject(json) && misshapenKey(json, { ...request, mustNotHave: ['approved', 'reason'] }) === null

const isDecision = (isRight: (json: Json) => boolean) => (json: Json) =>
  isObject(json) &&
  misshapenKey(json, {
    mustHave: { ...request.mustHave, approved: isRight },
    mayHave: { ...request.mayHave, reason: isText },
  }) === null

const isGrant = isDecision(json => json === true)
const input = { input: isAnything }
const result = { resultProviderMetadata: isMetadata, approval: isGrant }

/** The required, optional and forbidden fields of a tool part in each of its states. */
const states = new Map<string, Shape>([
  [
    'input-streaming',
    {
      mayHave: { rawInput: isText, inputEncoding: json => json === 'json' || json === 'text' },
      mustNotHave: ['output', 'errorText', 'approval'],
    },
  ],
  ['input-available', { mustHave: input, mustNotHave: ['output', 'errorText', 'approval'] }],
  [
    'approval-requested',
    { mustHave: { ...input, approval: isRequest }, mustNotHave: ['output', 'errorText'] },
  ],
  [
    'approval-responded',
    { mustHave: { ...input, approval: isDecision(isBoolean) }, mustNotHave: ['output', 'errorText'] },
  ],
  [
    'output-available',
    {
      mustHave: { ...input, output: isAnything },
      mayHave: { ...result, preliminary: isBoolean },
      mustNotHave: ['errorText'],
    },
  ],
  ['output-error', { mustHave: { errorText: isText }, mayHave: result, mustNotHave: ['output'] }],
  [
    'output-denied',
    {
      mustHave: { ...input, approval: isDecision(json => json === false) },
      mustNotHave: ['output', 'errorText'],
    },
  ],
])

/** Why the AI SDK refuses a tool part; null when it does not. */
export function toolFault(part: JsonObject): string | null {
  const isDynamic = part['type'] === 'dynamic-tool'
  const state = textAt(part, 'state') ?? ''
  const shape = states.get(state)
  if (shape === undefined) return `is a tool in the unknown state ${state}`
  const key =
    misshapenKey(part, {
      mustHave: { toolCallId: isText, ...(isDynamic && { toolName: isText }) },
      mayHave: {
        title: isText,
        toolMetadata: isObject,
        providerExecuted: isBoolean,
        callProviderMetadata: isMetadata,
        ...(isDynamic && { dynamic: json => json === false }),
      },
    }) ?? misshapenKey(part, shape)
  return key === null ? null : `is a tool in the state ${state}, but its ${key} is missing or wrong`
}
