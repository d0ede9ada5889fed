import type { Segment } from '../codec.ts'
import type { Message } from '../conversation.ts'
import { textAt } from '../look.ts'

/** Whether instructions are a developer's, as both formats of OpenAI know them. */
export const isDeveloper = ({ role, native }: Message): boolean =>
  role === 'system' &&
  (native?.format === 'openai-chat' || native?.format === 'openai-responses') &&
  textAt(native.json, 'role') === 'developer'

/** What both formats of OpenAI call who speaks. */
export function openaiRole({ role, message }: Segment): string {
  if (role === 'system' && message !== null && isDeveloper(message)) return 'developer'
  return role
}
