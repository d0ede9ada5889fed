import type { ListedApproval } from 'dragoman/client'
import { askedOnce } from '../ui/asked-once.ts'

/** All that was ever asked in a session, by id, as the server knows it: a page that was opened later was told only what waits. */
export const savedAnswers = askedOnce<ReadonlyMap<string, ListedApproval>>(
  new Map(),
  async (client, session) => {
    const { approvals } = await client.call('listApprovals', { params: { session }, query: { all: '1' } })
    return new Map(approvals.map(each => [each.id, each]))
  },
)
