import { DragomanError, isDragomanError } from '../../protocol/error.ts'
import type { SessionId } from '../../protocol/ids.ts'
import type { ServerParts } from '../server-parts.ts'
import type { ChatPlan } from './chat-plan.ts'
import { readAnswers, type SentAnswer, type SentMessage } from './read-messages.ts'

/** Sends the agent the answers in a message, and continues the message after its last approval. */
export async function planAnswers(
  server: ServerParts,
  session: SessionId,
  message: SentMessage,
): Promise<Omit<ChatPlan, 'session' | 'dialect'>> {
  const answers = readAnswers(message)
  if (answers.length === 0)
    throw new DragomanError(
      'invalid-input',
      'The last message is from the agent and does not answer an approval. Add a message with the role "user".',
    )
  const { pending } = await server.sessions.get(session)
  const row = await server.catalogue.findMessage(session, message.id, null)
  const last = await lastAsked(server, session, answers)
  if (row === undefined || last === null)
    throw new DragomanError(
      'unknown-message',
      `Session ${session} has no message ${JSON.stringify(message.id.slice(0, 140))} with these approvals.`,
    )
  for (const answer of answers)
    if (pending.some(({ approval }) => approval === answer.approval)) await deliver(server, session, answer)
  return { subject: { interaction: row.interaction }, after: row.firstSeq - 1, continueAfter: last }
}

/** The latest of these approvals. */
async function lastAsked(
  { catalogue }: ServerParts,
  session: SessionId,
  answers: readonly SentAnswer[],
): Promise<string | null> {
  let last: { readonly approval: string; readonly seq: number } | null = null
  for (const { approval } of answers) {
    const row = await catalogue.findApproval(session, approval)
    if (row !== undefined && row.askedSeq >= (last?.seq ?? 0)) last = { approval, seq: row.askedSeq }
  }
  return last?.approval ?? null
}

async function deliver(server: ServerParts, session: SessionId, answer: SentAnswer): Promise<void> {
  const { approval, approved, reason } = answer
  try {
    await server.sessions.execute({
      type: 'answer',
      session,
      approval,
      approved,
      ...(reason !== undefined && { reason }),
    })
  } catch (error) {
    // Another answer came first: it wins, and its result is streamed.
    if (!isDragomanError(error, 'approval-settled')) throw error
  }
}
