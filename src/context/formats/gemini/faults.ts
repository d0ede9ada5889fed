import { isObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { Role } from '../conversation.ts'
import { isLocal } from '../file-source.ts'
import { textAt } from '../look.ts'
import { spelled } from './spelled.ts'

/** Fields of a part of which it has exactly one. */
const data = [
  'text',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
]

/** How long the name of a function may be. */
export const longestName = 128

/** What Gemini accepts as the name of a function. */
export const legalName: RegExp = new RegExp(`^.{1,${longestName}}$`, 'su')

const isName = (value: Json | undefined): boolean => typeof value === 'string' && legalName.test(value)

/** Whether Gemini accepts a part of a role. */
export const isSound = (json: Json, role: Role): boolean => faultOf(json, role) === null

/** Why Gemini refuses a part of a role; null when it does not, or when it may know more kinds than we do. */
export function faultOf(json: Json, role: Role): string | null {
  const part = spelled(json)
  if (!isObject(json) || !isObject(part)) return 'is not an object'
  if (Object.keys(part).length === 0) return 'is empty'
  // Both spellings of one field are two fields.
  const fields = Object.keys(json).filter(key => data.some(name => name === nameOf(key)))
  if (fields.length > 1) return `has ${fields.join(' and ')} at once`
  if (role === 'system' && fields.some(key => key !== 'text'))
    return `has ${fields.join()}, where only text is allowed`
  return (
    textFault(part) ??
    inlineFault(part) ??
    linkedFault(part) ??
    callFault(part) ??
    responseFault(part) ??
    null
  )
}

const nameOf = (key: string) => Object.keys(spelled({ [key]: null }) as JsonObject)[0]

const textFault = ({ text }: JsonObject) =>
  text === undefined || typeof text === 'string' ? undefined : 'has a text that is not a string'

function inlineFault({ inlineData: inline }: JsonObject): string | undefined {
  if (inline === undefined) return undefined
  return typeof textAt(inline, 'mimeType') === 'string' && typeof textAt(inline, 'data') === 'string'
    ? undefined
    : 'has inlineData without mimeType or data'
}

function linkedFault({ fileData: linked }: JsonObject): string | undefined {
  if (linked === undefined) return undefined
  const address = textAt(linked, 'fileUri')
  if (address === undefined) return 'has fileData without fileUri'
  return isLocal.test(address) ? 'has fileData at a URL that Gemini cannot load' : undefined
}

function callFault({ functionCall: call }: JsonObject): string | undefined {
  if (call === undefined) return undefined
  const isCall = isObject(call) && isName(call['name'])
  return isCall && (call['args'] === undefined || isObject(call['args']))
    ? undefined
    : 'is a call without a valid name, or its arguments are not an object'
}

function responseFault({ functionResponse: response }: JsonObject): string | undefined {
  if (response === undefined) return undefined
  return isObject(response) && isName(response['name']) && isObject(response['response'])
    ? undefined
    : 'is a response without a valid name, or its response is not an object'
}
