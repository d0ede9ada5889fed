import { expect, it } from 'vitest'
import type { ApprovalId } from '../../protocol/ids.ts'
import { createWritable } from '../readable.ts'
import { sessionReadables } from './session-readables.ts'
import { closed, type ListedApproval, type SessionState } from './session-state.ts'

it('[T6] an answered approval is not pending, even before the list is loaded again', () => {
  const asked = { id: 'a', status: 'pending' } as ListedApproval
  const seen = (...pending: readonly string[]): SessionState => ({
    ...closed,
    approvals: [asked],
    view: {
      ...closed.view,
      status: {
        ...closed.view.status,
        pending: pending.map(id => ({ approval: id as ApprovalId, toolCallId: 't', thread: null })),
      },
    },
  })
  const state = createWritable(seen('a'))
  const { pendingApprovals } = sessionReadables('s', state, createWritable({} as never), createWritable([]))
  expect(pendingApprovals.get()).toEqual([asked])
  state.set(seen())
  expect(pendingApprovals.get()).toEqual([])
  state.set(seen('another'))
  expect(pendingApprovals.get()).toEqual([])
})
