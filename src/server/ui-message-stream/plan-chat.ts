import type { MessageRow } from '../../catalogue/change.ts'
import type { Received } from '../../protocol/api/api.ts'
import { DragomanError, isDragomanError } from '../../protocol/error.ts'
import type { PromptId, SessionId } from '../../protocol/ids.ts'
import { defaultOptions } from '../routes/sessions.ts'
import type { ServerParts } from '../server-parts.ts'
import { refuseWhenDraining } from '../refuse-when-draining.ts'
import type { ChatPlan } from './chat-plan.ts'
import { planAnswers } from './plan-answers.ts'
import { planInPlace, planPrompt } from './plan-prompt.ts'
import { readPrompt } from './read-messages.ts'

type Body = Received<'chat'>['body']
type Plan = Omit<ChatPlan, 'session' | 'dialect'>

/** Executes the last message of a chat, and returns what to stream. */
export async function planChat(
  server: ServerParts,
  body: Body,
  dialect: ChatPlan['dialect'] = 'portable',
): Promise<ChatPlan> {
  refuseWhenDraining(server)
  const session = body.id as SessionId
  return { session, dialect, ...(await plan(server, session, body)) }
}

async function plan(server: ServerParts, session: SessionId, body: Body): Promise<Plan> {
  if (body.trigger === 'regenerate-message')
    return { ...(await planAgain(server, session, body.messageId ?? null)), continueAfter: null }
  const last = body.messages.at(-1)
  if (last?.role === 'user') {
    const prompt = readPrompt(last)
    await createIfNew(server, session, body)
    return { ...(await planPrompt(server, session, prompt)), continueAfter: null }
  }
  if (last?.role === 'assistant') return planAnswers(server, session, last)
  throw new DragomanError(
    'invalid-input',
    'The last message must have the role "user", or the role "assistant" with answered approvals.',
  )
}

/** Creates a session for an unknown chat. */
async function createIfNew(server: ServerParts, session: SessionId, body: Body): Promise<void> {
  const { sessions, options } = server
  try {
    await sessions.get(session)
  } catch (error) {
    if (!isDragomanError(error, 'unknown-session')) throw error
    const { agent = await options.defaultAgent(), cwd = options.defaultFolder } = body
    const creation = { type: 'create', session, agent, cwd, ...defaultOptions(server, agent) } as const
    await sessions.execute(creation).catch(async (refused: unknown) => {
      // Another client may have started the same chat just now.
      if (!isDragomanError(refused, 'session-exists')) throw refused
      await sessions.get(session)
    })
  }
}

/** Sends the same prompt again. Its answer replaces the old one. */
async function planAgain(server: ServerParts, session: SessionId, messageId: string | null) {
  await server.sessions.get(session)
  const row = await promptOf(server, session, messageId)
  const [entry] = row === undefined ? [] : await server.journal.read(session, row.firstSeq - 1, 1)
  if (row === undefined || entry?.event.type !== 'interaction-started')
    throw new DragomanError('unknown-message', 'There is no prompt to regenerate an answer for.')
  return planInPlace(server, session, { id: row.id as PromptId, parts: entry.event.parts }, row.parent, true)
}

/** The prompt that a message is or answers. For an unknown message, the last prompt. */
async function promptOf(
  { catalogue }: ServerParts,
  session: SessionId,
  messageId: string | null,
): Promise<MessageRow | undefined> {
  const row = messageId === null ? undefined : await catalogue.findMessage(session, messageId, null)
  if (row?.role === 'user') return row
  const before = row === undefined ? {} : { before: row.firstSeq }
  const { messages } = await catalogue.messages(session, { thread: null, limit: 50, ...before })
  return messages.find(({ role }) => role === 'user')
}

/** What to stream to a client that reconnects: the running or next interaction; null if there is none, or the chat is unknown. */
export async function planResume(
  server: ServerParts,
  session: SessionId,
  dialect: ChatPlan['dialect'] = 'portable',
): Promise<ChatPlan | null> {
  const details = await server.sessions.get(session).catch((error: unknown) => {
    if (isDragomanError(error, 'unknown-session')) return null
    throw error
  })
  if (details === null) return null
  const { running, queue } = details
  const common = { session, dialect, continueAfter: null }
  if (running !== null)
    return { ...common, subject: { interaction: running.interaction }, after: running.seq }
  const next = queue.find(({ held }) => !held)
  if (next === undefined) return null
  return { ...common, subject: { interaction: null, prompt: next.prompt }, after: next.queued.seq }
}
