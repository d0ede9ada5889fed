import { isDragomanError } from '../../protocol/error.ts'
import { readId, type PromptId, type SessionId } from '../../protocol/ids.ts'
import type { PromptPart } from '../../protocol/message.ts'
import type { Reply } from '../../sessions/commands/reply.ts'
import type { House } from '../house.ts'
import type { ChatPlan } from './chat-plan.ts'

/** A prompt by its name and its words. */
export interface Prompt {
  readonly id: PromptId
  readonly parts: readonly PromptPart[]
}

type Place = Pick<ChatPlan, 'subject' | 'after'>

/**
 * Prompts, and says what to tell of it. The same prompt again, as after a lost connection, is told again; the same
 * name with other words is an edited message: it takes the place of the old one and of all that came after.
 */
export async function planPrompt(house: House, session: SessionId, prompt: Prompt): Promise<Place> {
  const reply = await execute(house, session, prompt)
  if (reply !== null && (await isMeant(house, session, prompt, reply))) return placeOf(reply)
  // One that was queued and withdrawn has no message, and no place.
  const row = await house.catalogue.findMessage(session, prompt.id, null)
  return planInPlace(house, session, prompt, row?.parent)
}

/** Prompts in the place of what came after a message. Its name is that of the old prompt with a number, and only one. */
export async function planInPlace(
  house: House,
  session: SessionId,
  prompt: Prompt,
  parent: string | null | undefined,
  again = false,
): Promise<Place> {
  const name = prompt.id.replace(/:\d+$/, '')
  for (let number = 2; ; number++) {
    const named = { ...prompt, id: readId<PromptId>('prompt', `${name}:${number}`) }
    const reply = await execute(house, session, named, parent)
    if (reply === null) continue
    if (again ? !reply.repeated : await isMeant(house, session, named, reply)) return placeOf(reply)
  }
}

/** Prompts; null when the name belongs to a prompt with other words. */
async function execute(
  { sessions }: House,
  session: SessionId,
  { id, parts }: Prompt,
  parent?: string | null,
): Promise<Reply<'prompt'> | null> {
  try {
    return await sessions.execute({
      type: 'prompt',
      session,
      prompt: id,
      parts: [...parts],
      ...(parent !== undefined && { parent }),
    })
  } catch (error) {
    if (isDragomanError(error, 'prompt-exists')) return null
    throw error
  }
}

/** Whether a prompt that was saved, now or before, is still part of the conversation. */
async function isMeant(
  { catalogue }: House,
  session: SessionId,
  { id }: Prompt,
  { repeated }: Reply<'prompt'>,
): Promise<boolean> {
  if (!repeated) return true
  const row = await catalogue.findMessage(session, id, null)
  return row === undefined || row.replacedBy === null
}

const placeOf = ({ interaction, prompt, seq }: Reply<'prompt'>): Place => ({
  subject: interaction === null ? { interaction, prompt } : { interaction },
  after: seq,
})
