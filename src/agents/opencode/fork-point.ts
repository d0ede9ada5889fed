import { asObject, type Json } from '../../protocol/json.ts'
import type { ForkPoint, RawMessage } from '../agent.ts'
import { objectOf, textOf } from '../kit/fields.ts'
import { parseJson } from '../kit/parse-json.ts'

/** The last message of the model that an interaction left in its session. */
export function forkPoint(lines: readonly RawMessage[]): ForkPoint | null {
  const agentSession = lines.map(sessionAsked).findLast(session => session !== '') ?? ''
  const last = lines.map(line => applyMessage(line, agentSession)).findLast(message => message !== '') ?? ''
  return agentSession === '' || last === '' ? null : { agentSession, last }
}

/** The first message after a fork point, as OpenCode's own copying wants it: the first that is not copied. */
export function afterPoint(messages: Json, { last }: ForkPoint): { readonly messageID?: string } | null {
  const ids = Array.isArray(messages)
    ? messages.map(each => textOf(objectOf(asObject(each as Json), 'info'), 'id'))
    : []
  const at = ids.indexOf(last)
  if (at < 0) return null
  const next = ids[at + 1]
  return next === undefined ? {} : { messageID: next }
}

function sessionAsked({ from, text }: RawMessage): string {
  if (from !== 'host' || !text.includes('/prompt_async')) return ''
  const path = textOf(asObject(parseJson(text)), 'path')
  return decodeURIComponent(/^\/session\/([^/]+)\/prompt_async$/.exec(path)?.[1] ?? '')
}

function applyMessage({ from, text, cut }: RawMessage, session: string): string {
  if (from !== 'agent' || cut === true || !text.includes('"message.updated"')) return ''
  const line = asObject(parseJson(text))
  const info = objectOf(objectOf(line, 'properties'), 'info')
  const isAnswer = textOf(info, 'role') === 'assistant' && textOf(info, 'sessionID') === session
  return textOf(line, 'type') === 'message.updated' && isAnswer ? textOf(info, 'id') : ''
}
