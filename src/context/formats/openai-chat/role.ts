import type { Segment } from '../codec.ts'
import type { Message } from '../conversation.ts'
import { textAt } from '../look.ts'

/** Whether instructions have the role `developer`, which both formats of OpenAI have. */
export const isDeveloper = ({ role, native }: Message): boolean =>
  role === 'system' &&
  (native?.format === 'openai-chat' || native?.format === 'openai-responses') &&
  textAt(native.json, 'role') === 'developer'

/** The names of the roles in both formats of OpenAI. */
export function openaiRole({ role, message }: Segment): string {
  if (role === 'system' && message !== null && isDeveloper(message)) return 'developer'
  return role
}
