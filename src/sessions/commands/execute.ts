import type { Command, CommandOf } from '../../protocol/command.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { answerApproval } from './answer-approval.ts'
import { archive, restore } from './archive.ts'
import { assign } from './assign.ts'
import { branch } from './branch.ts'
import { configure } from './configure.ts'
import { continueQueue } from './continue-queue.ts'
import { create } from './create.ts'
import { deleteSession, refuseDeleted, undeleteSession } from './delete-session.ts'
import { interrupt } from './interrupt.ts'
import type { OwnedSession } from '../own/owned-session.ts'
import type { OwnedSessions } from '../own/owned-sessions.ts'
import { merge } from './merge.ts'
import { pin, unpin } from './pin.ts'
import { prompt } from './prompt.ts'
import { rename } from './rename.ts'
import type { Reply } from './reply.ts'
import { revokeRule } from './revoke-rule.ts'
import { setValidity } from './set-validity.ts'
import { withdraw } from './withdraw.ts'

type Type = Command['type']
type CommandHandler<Kind extends Type> = (
  sessions: OwnedSessions,
  command: CommandOf<Kind>,
) => Promise<Reply<Kind>>

/** The handler of each command. A table, so that the compiler checks that none is missing and knows the reply of each. */
const commandHandlers: { readonly [Kind in Type]: CommandHandler<Kind> } = {
  create,
  prompt: inSession(prompt),
  withdraw: inSession(withdraw),
  continue: inSession(continueQueue),
  interrupt: inSession(interrupt),
  answer: inSession(answerApproval),
  revoke: inSession(revokeRule),
  branch,
  assign: inSession(assign),
  configure: inSession(configure),
  rename: inSession(rename),
  archive: inSession(archive),
  restore: inSession(restore),
  pin: inSession(pin),
  unpin: inSession(unpin),
  delete: inSession(deleteSession),
  undelete: (sessions, { session }) => sessions.use(session as SessionId, undeleteSession),
  'set-validity': inSession(setValidity),
  manipulate: inSession(async (owned, command: CommandOf<'manipulate'>) =>
    (await import('../context/manipulate.ts')).manipulate(owned, command),
  ),
  'roll-back': inSession(async (owned, command: CommandOf<'roll-back'>) =>
    (await import('../context/roll-back.ts')).rollBackInSession(owned, command),
  ),
  merge,
}

/** Executes a command. */
export function execute<Kind extends Type>(
  sessions: OwnedSessions,
  command: CommandOf<Kind>,
): Promise<Reply<Kind>> {
  const handler: CommandHandler<Kind> = commandHandlers[command.type]
  return handler(sessions, command)
}

function inSession<Asked extends { readonly session: string }, Given>(
  work: (owned: OwnedSession, command: Asked) => Promise<Given>,
): (sessions: OwnedSessions, command: Asked) => Promise<Given> {
  return (sessions, command) =>
    sessions.use(command.session as SessionId, async owned => {
      refuseDeleted(owned.writer)
      return work(owned, command)
    })
}
