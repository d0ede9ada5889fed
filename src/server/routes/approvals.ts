import type { SessionId } from '../../protocol/ids.ts'
import { given } from '../given.ts'
import type { Handlers } from './handler.ts'

/** What agents ask, what people answer, and what they always allow. */
export const approvals: Handlers<
  'listApprovals' | 'answerApproval' | 'revokeRule' | 'listRules' | 'revokeRuleAnywhere'
> = {
  listApprovals: async ({ sessions }, { params, query }) =>
    sessions.approvals(params.session as SessionId, { all: true, ...given(query) }),
  answerApproval: async ({ sessions }, { params, body }) =>
    sessions.execute({ type: 'answer', ...params, ...body }),
  listRules: async ({ sessions }) => ({ rules: await sessions.rules() }),
  revokeRuleAnywhere: async ({ sessions }, { params }) => sessions.revoke(params.rule),
  revokeRule: async ({ sessions }, { params }) => sessions.execute({ type: 'revoke', ...params }),
}
