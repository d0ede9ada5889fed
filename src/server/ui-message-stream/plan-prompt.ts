import { isDragomanError } from '../../protocol/error.ts'
import { readId, type PromptId, type SessionId } from '../../protocol/ids.ts'
import type { PromptPart } from '../../protocol/message.ts'
import type { Reply } from '../../sessions/commands/reply.ts'
import type { ServerParts } from '../server-parts.ts'
import type { ChatPlan } from './chat-plan.ts'

/** A prompt with its id and parts. */
export interface Prompt {
  readonly id: PromptId
  readonly parts: readonly PromptPart[]
}

type Place = Pick<ChatPlan, 'subject' | 'after'>

/**
 * Sends a prompt and returns what to stream. The same prompt again, as after a lost connection, is streamed again. The same
 * id with another text is an edited message, which replaces the old one and everything after it.
 */
export async function planPrompt(server: ServerParts, session: SessionId, prompt: Prompt): Promise<Place> {
  const reply = await execute(server, session, prompt)
  if (reply !== null && (await isMeant(server, session, prompt, reply))) return placeOf(reply)
  // A prompt that was cancelled in the queue has no message.
  const row = await server.catalogue.findMessage(session, prompt.id, null)
  return planInPlace(server, session, prompt, row?.parent)
}

/** Sends a prompt that replaces everything after a message. Its id is the old prompt's id with a number. */
export async function planInPlace(
  server: ServerParts,
  session: SessionId,
  prompt: Prompt,
  parent: string | null | undefined,
  again = false,
): Promise<Place> {
  const name = prompt.id.replace(/:\d+$/, '')
  for (let number = 2; ; number++) {
    const named = { ...prompt, id: readId<PromptId>('prompt', `${name}:${number}`) }
    const reply = await execute(server, session, named, parent)
    if (reply === null) continue
    if (again ? !reply.repeated : await isMeant(server, session, named, reply)) return placeOf(reply)
  }
}

/** Sends a prompt; null if the id belongs to a prompt with another text. */
async function execute(
  { sessions }: ServerParts,
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

/** Whether a saved prompt is still part of the conversation. */
async function isMeant(
  { catalogue }: ServerParts,
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
