import type { SessionRule } from '../catalogue/list-rules.ts'
import { DragomanError } from '../protocol/error.ts'
import { execute } from './execute.ts'
import type { LiveSessions } from './live-sessions.ts'
import type { Reply } from './reply.ts'

/** The rules of all sessions, as they are saved now. */
export async function rulesOf(lives: LiveSessions): Promise<readonly SessionRule[]> {
  await lives.settled()
  return lives.host.catalogue.rules()
}

/** Revokes a rule, whichever session it holds in. */
export async function revokeAnywhere(lives: LiveSessions, rule: string): Promise<Reply<'revoke'>> {
  const found = (await rulesOf(lives)).find(({ id }) => id === rule)
  if (found === undefined)
    throw new DragomanError('unknown-rule', `There is no rule ${rule}. It may have been revoked already.`)
  return execute(lives, { type: 'revoke', session: found.session, rule })
}
