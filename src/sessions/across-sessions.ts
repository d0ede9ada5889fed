import type { ApprovalFilter } from '../catalogue/list-approvals.ts'
import type { SessionRule } from '../catalogue/catalogue.ts'
import { readApprovalPage, type ApprovalPage } from '../catalogue/read-approval-page.ts'
import { DragomanError } from '../protocol/error.ts'
import { execute } from './commands/execute.ts'
import type { OwnedSessions } from './own/owned-sessions.ts'
import type { Reply } from './commands/reply.ts'

/** Approvals and rules of all sessions. Reading them does not claim a session. */
export interface AcrossSessions {
  /** The approvals of all sessions that are not deleted, the newest first. */
  allApprovals(filter: ApprovalFilter): Promise<ApprovalPage>
  /** The current rules of all sessions that are not deleted. */
  rules(): Promise<readonly SessionRule[]>
  /** Revokes a rule in whichever session has it. */
  revoke(rule: string): Promise<Reply<'revoke'>>
}

/** Reads across sessions, up to what is saved now. */
export function createAcrossSessions(sessions: OwnedSessions): AcrossSessions {
  const { catalogue } = sessions.host
  const rules = async () => {
    await sessions.settled()
    return catalogue.rules()
  }
  return {
    async allApprovals(filter) {
      await sessions.settled()
      return readApprovalPage(sessions.host, filter)
    },
    rules,
    async revoke(rule) {
      const found = (await rules()).find(({ id }) => id === rule)
      if (found === undefined)
        throw new DragomanError('unknown-rule', `There is no rule ${rule}. It may have been revoked already.`)
      return execute(sessions, { type: 'revoke', session: found.session, rule })
    },
  }
}
