import type { MessageRow } from '../../catalogue/change.ts'
import type { Received } from '../../protocol/api/api.ts'
import { DragomanError, isDragomanError } from '../../protocol/error.ts'
import type { PromptId, SessionId } from '../../protocol/ids.ts'
import type { House } from '../house.ts'
import { refuseWhenDraining } from '../refuse-when-draining.ts'
import type { ChatPlan } from './chat-plan.ts'
import { planAnswers } from './plan-answers.ts'
import { planInPlace, planPrompt } from './plan-prompt.ts'
import { readPrompt } from './read-messages.ts'

type Body = Received<'chat'>['body']
type Plan = Omit<ChatPlan, 'session' | 'dialect'>

/** Executes the last message of a chat, and returns what to stream. */
export async function planChat(
  house: House,
  body: Body,
  dialect: ChatPlan['dialect'] = 'portable',
): Promise<ChatPlan> {
  refuseWhenDraining(house)
  const session = body.id as SessionId
  return { session, dialect, ...(await plan(house, session, body)) }
}

async function plan(house: House, session: SessionId, body: Body): Promise<Plan> {
  if (body.trigger === 'regenerate-message')
    return { ...(await planAgain(house, session, body.messageId ?? null)), continueAfter: null }
  const last = body.messages.at(-1)
  if (last?.role === 'user') {
    const prompt = readPrompt(last)
    await createIfNew(house, session, body)
    return { ...(await planPrompt(house, session, prompt)), continueAfter: null }
  }
  if (last?.role === 'assistant') return planAnswers(house, session, last)
  throw new DragomanError(
    'invalid-input',
    'The last message must have the role "user", or the role "assistant" with answered approvals.',
  )
}

/** A chat that we do not know is a new session. */
async function createIfNew({ sessions, options }: House, session: SessionId, body: Body): Promise<void> {
  try {
    await sessions.get(session)
  } catch (error) {
    if (!isDragomanError(error, 'unknown-session')) throw error
    const { agent = options.defaultAgent, cwd = options.defaultFolder } = body
    await sessions.execute({ type: 'create', session, agent, cwd }).catch(async (refused: unknown) => {
      // Someone else may have begun the same chat just now.
      if (!isDragomanError(refused, 'session-exists')) throw refused
      await sessions.get(session)
    })
  }
}

/** Prompts with the same words as before, in the place of the old answer. */
async function planAgain(house: House, session: SessionId, messageId: string | null) {
  await house.sessions.get(session)
  const row = await promptOf(house, session, messageId)
  const [entry] = row === undefined ? [] : await house.journal.read(session, row.firstSeq - 1, 1)
  if (row === undefined || entry?.event.type !== 'interaction-started')
    throw new DragomanError('unknown-message', 'There is no prompt to regenerate an answer for.')
  return planInPlace(house, session, { id: row.id as PromptId, parts: entry.event.parts }, row.parent, true)
}

/** The prompt that a message is, or that it answers; of a message that is not ours, the last prompt. */
async function promptOf(
  { catalogue }: House,
  session: SessionId,
  messageId: string | null,
): Promise<MessageRow | undefined> {
  const row = messageId === null ? undefined : await catalogue.findMessage(session, messageId, null)
  if (row?.role === 'user') return row
  const before = row === undefined ? {} : { before: row.firstSeq }
  const { messages } = await catalogue.messages(session, { thread: null, limit: 50, ...before })
  return messages.find(({ role }) => role === 'user')
}
