import type { Command, CommandOf } from '../protocol/command.ts'
import type { SessionId } from '../protocol/ids.ts'
import { answerApproval } from './answer-approval.ts'
import { archive, restore } from './archive.ts'
import { assign } from './assign.ts'
import { branch } from './branch.ts'
import { continueQueue } from './continue-queue.ts'
import { create } from './create.ts'
import { deleteSession, refuseDeleted, undeleteSession } from './delete-session.ts'
import { interrupt } from './interrupt.ts'
import type { LiveSession } from './live-session.ts'
import type { LiveSessions } from './live-sessions.ts'
import { merge } from './merge.ts'
import { prompt } from './prompt.ts'
import { rename } from './rename.ts'
import type { Reply } from './reply.ts'
import { revokeRule } from './rules.ts'
import { setValidity } from './set-validity.ts'
import { withdraw } from './withdraw.ts'

type Type = Command['type']
type Doer<Kind extends Type> = (lives: LiveSessions, command: CommandOf<Kind>) => Promise<Reply<Kind>>

/** Who does what a person asks. A table, so that the compiler misses none and knows the reply of each. */
const doers: { readonly [Kind in Type]: Doer<Kind> } = {
  create,
  prompt: inSession(prompt),
  withdraw: inSession(withdraw),
  continue: inSession(continueQueue),
  interrupt: inSession(interrupt),
  answer: inSession(answerApproval),
  revoke: inSession(revokeRule),
  branch,
  assign: inSession(assign),
  rename: inSession(rename),
  archive: inSession(archive),
  restore: inSession(restore),
  delete: inSession(deleteSession),
  undelete: (lives, { session }) => lives.use(session as SessionId, undeleteSession),
  'set-validity': inSession(setValidity),
  manipulate: inSession(async (live, command: CommandOf<'manipulate'>) =>
    (await import('./context/manipulate.ts')).manipulate(live, command),
  ),
  'roll-back': inSession(async (live, command: CommandOf<'roll-back'>) =>
    (await import('./context/roll-back.ts')).rollBackInSession(live, command),
  ),
  merge,
}

/** Does what a person asks. */
export function execute<Kind extends Type>(
  lives: LiveSessions,
  command: CommandOf<Kind>,
): Promise<Reply<Kind>> {
  const doer: Doer<Kind> = doers[command.type]
  return doer(lives, command)
}

function inSession<Asked extends { readonly session: string }, Given>(
  work: (live: LiveSession, command: Asked) => Promise<Given>,
): (lives: LiveSessions, command: Asked) => Promise<Given> {
  return (lives, command) =>
    lives.use(command.session as SessionId, async live => {
      refuseDeleted(live.line)
      return work(live, command)
    })
}
