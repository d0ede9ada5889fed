import type { SessionId } from '../../protocol/ids.ts'
import { definedIn } from '../../protocol/json.ts'
import type { Handlers } from './handler.ts'
import { showSession } from './show-session.ts'

const pageOfApprovals = 50

/** Calls about approvals and permission rules. */
export const approvals: Handlers<
  'listApprovals' | 'listAllApprovals' | 'answerApproval' | 'revokeRule' | 'listRules' | 'revokeRuleAnywhere'
> = {
  listApprovals: async ({ sessions }, { params, query }) =>
    sessions.approvals(params.session as SessionId, { all: true, ...definedIn(query) }),
  async listAllApprovals({ sessions }, { query }) {
    const { limit = pageOfApprovals, ...filter } = query
    const found = await sessions.allApprovals({ ...definedIn(filter), limit })
    return { ...found, sessions: found.sessions.map(each => showSession(each, sessions)) }
  },
  answerApproval: async ({ sessions }, { params, body }) =>
    sessions.execute({ type: 'answer', ...params, ...body }),
  async listRules({ sessions, catalogue }) {
    const rules = await sessions.rules()
    const found = await catalogue.summaries([...new Set(rules.map(({ session }) => session))])
    return { rules, sessions: found.map(each => showSession(each, sessions)) }
  },
  revokeRuleAnywhere: async ({ sessions }, { params }) => sessions.revoke(params.rule),
  revokeRule: async ({ sessions }, { params }) => sessions.execute({ type: 'revoke', ...params }),
}
