import type { PromptId } from '../../protocol/ids.ts'
import type { PromptPart } from '../../protocol/message.ts'
import type { TranscriptPrompt } from '../importer.ts'
import { asObject, listOf, objectOf, textOf, type Fields } from '../kit/fields.ts'

/** The kind and the payload of a line; the oldest rollouts have items without an envelope. */
export function lineOf(line: Fields): { readonly kind: string; readonly payload: Fields } {
  if ('payload' in line) return { kind: textOf(line, 'type'), payload: objectOf(line, 'payload') }
  const isItem = typeof line['type'] === 'string'
  return { kind: isItem ? 'response_item' : 'session_meta', payload: line }
}

/** Texts that Codex itself sends to the model in the role of the user. */
const noise =
  /^\s*(<(environment_context|user_instructions|permissions|turn_aborted|collaboration_mode|apps_|skills_|skill>|model_switch|subagent_notification|user_shell_command)|# AGENTS\.md instructions)/

/** The prompt in a line; null if it has none. */
export function promptIn(line: Fields, place: string, kinds: PromptKinds): TranscriptPrompt | null {
  const { kind, payload } = lineOf(line)
  const item = objectOf(payload, 'item')
  const type = textOf(payload, 'type')
  const isItem = kind === 'event_msg' && type === 'item_completed' && textOf(item, 'type') === 'UserMessage'
  const isEvent = kind === 'event_msg' && type === 'user_message'
  const isMessage = kind === 'response_item' && type === 'message' && textOf(payload, 'role') === 'user'
  const isPrompt = kinds === 'event' ? isEvent : kinds === 'item' ? isItem : isMessage
  const parts = isItem ? promptParts(item) : isEvent ? eventParts(payload) : promptParts(payload)
  if (!isPrompt || parts.length === 0) return null
  return { id: (textOf(isItem ? item : payload, 'id') || place) as PromptId, parts }
}

/** The lines of a rollout that have prompts; newer rollouts have each prompt in two lines. */
export type PromptKinds = 'event' | 'item' | 'message'

function eventParts(payload: Fields): readonly PromptPart[] {
  const text = textOf(payload, 'message')
  const images = listOf(payload, 'images').flatMap(url => (typeof url === 'string' ? [picture(url)] : []))
  return [...(text === '' ? [] : [{ type: 'text', text } as const]), ...images]
}

/** What a person put into a message; nothing if the message is from Codex. */
export function promptParts(payload: Fields): readonly PromptPart[] {
  return listOf(payload, 'content').flatMap((part): readonly PromptPart[] => {
    const fields = asObject(part)
    const [text, url] = [textOf(fields, 'text'), textOf(fields, 'image_url') || textOf(fields, 'url')]
    if (url !== '') return [picture(url)]
    return text === '' || noise.test(text) ? [] : [{ type: 'text', text }]
  })
}

function picture(url: string): PromptPart {
  return { type: 'file', url, mediaType: /^data:([^;,]+)/.exec(url)?.[1] ?? 'image/png' }
}
