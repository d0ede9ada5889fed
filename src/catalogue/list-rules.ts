import type { Tables } from '../journal/journal.ts'
import type { Rule } from '../projections/rules.ts'
import type { SessionId } from '../protocol/ids.ts'
import { stateVersion, type SessionState } from './session-state.ts'

/** A rule, and the session in which it holds. */
export interface SessionRule extends Rule {
  readonly session: SessionId
}

/** The rules of all sessions that are not deleted: those of the newest session first. */
export async function listRules(tables: Tables): Promise<readonly SessionRule[]> {
  const rows = await tables.read(
    `select session, state -> '$.rules' as rules from session_summary
     where state_version = ? and deleted = 0 and json_array_length(state, '$.rules') > 0
     order by created_at desc, session desc`,
    [stateVersion],
  )
  return rows.flatMap(({ session, rules }) =>
    (JSON.parse(String(rules)) as SessionState['rules']).map(rule => ({
      ...rule,
      session: session as SessionId,
    })),
  )
}
