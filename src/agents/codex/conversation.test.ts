import { expect, it } from 'vitest'
import type { ApprovalId } from '../../protocol/ids.ts'
import { createConversation } from './conversation.ts'

it('[S10] an answer goes to the request that was shown, and another request with its id is refused', async () => {
  const conversation = createConversation()
  const method = 'item/commandExecution/requestApproval'
  const first = conversation.answerer({ id: 0, method, params: { itemId: 'c', command: 'ls' } })
  const again = () => conversation.answerer({ id: '0', method, params: { itemId: 'c', command: 'rm -rf ~' } })
  expect(again).toThrow('already open')
  conversation.answer('c.ask-0' as ApprovalId, { approved: true, reason: null, always: false })
  expect(await first).toEqual({ decision: 'accept' })
})
