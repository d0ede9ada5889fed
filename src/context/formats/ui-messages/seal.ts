import type { Json, JsonObject } from '../../../protocol/json.ts'
import type { Seal } from '../conversation.ts'
import { fields, objectAt, textAt } from '../look.ts'

/** The seal in a part's provider metadata, under the names that the AI SDK's own providers use. */
export function parseSeal(metadata: Json | undefined): { readonly seal?: Seal } {
  const anthropic = objectAt(metadata, 'anthropic')
  const openai = objectAt(metadata, 'openai')
  const signature = textAt(anthropic, 'signature')
  const redacted = textAt(anthropic, 'redactedData')
  const item = textAt(openai, 'itemId')
  const encrypted = textAt(openai, 'reasoningEncryptedContent')
  const thought = textAt(objectAt(metadata, 'google'), 'thoughtSignature')
  if (signature !== undefined || redacted !== undefined)
    return { seal: { provider: 'anthropic', ...some({ signature, encrypted: redacted }) } }
  if (item !== undefined || encrypted !== undefined)
    return { seal: { provider: 'openai', ...some({ item, encrypted }) } }
  return thought === undefined ? {} : { seal: { provider: 'google', signature: thought } }
}

const some = (of: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined))

/** A seal as provider metadata. */
export function serializeSeal(seal: Seal | undefined): JsonObject | undefined {
  switch (seal?.provider) {
    case 'anthropic':
      return { anthropic: fields({ signature: seal.signature, redactedData: seal.encrypted }) }
    case 'openai':
      return { openai: fields({ itemId: seal.item, reasoningEncryptedContent: seal.encrypted }) }
    case 'google':
      return { google: fields({ thoughtSignature: seal.signature }) }
    case undefined:
      return undefined
  }
}
