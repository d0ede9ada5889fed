import { sameJson } from '../../projections/same-json.ts'
import { readId, type PromptId, type SessionId } from '../../protocol/ids.ts'
import type { PromptPart } from '../../protocol/message.ts'
import type { Reply } from '../../sessions/reply.ts'
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
  if (await isMeant(house, session, prompt, reply)) return placeOf(reply)
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
    if (again ? !reply.repeated : await isMeant(house, session, named, reply)) return placeOf(reply)
  }
}

function execute(
  { sessions }: House,
  session: SessionId,
  { id, parts }: Prompt,
  parent?: string | null,
): Promise<Reply<'prompt'>> {
  return sessions.execute({
    type: 'prompt',
    session,
    prompt: id,
    parts: [...parts],
    ...(parent !== undefined && { parent }),
  })
}

/** Whether what was saved under a prompt's name, now or before, is this prompt and still part of the conversation. */
async function isMeant(
  { journal, catalogue }: House,
  session: SessionId,
  { id, parts }: Prompt,
  { repeated, seq }: Reply<'prompt'>,
): Promise<boolean> {
  if (!repeated) return true
  const [first] = await journal.read(session, seq - 1, 1)
  const said = first !== undefined && 'parts' in first.event ? first.event.parts : []
  if (!sameJson(said, parts)) return false
  const row = await catalogue.findMessage(session, id, null)
  return row === undefined || row.replacedBy === null
}

const placeOf = ({ interaction, prompt, seq }: Reply<'prompt'>): Place => ({
  subject: interaction === null ? { interaction, prompt } : { interaction },
  after: seq,
})
