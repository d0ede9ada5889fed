import { expect, it } from 'vitest'
import type { RawMessage } from '../agent.ts'
import { afterPoint, forkPoint } from './fork-point.ts'
import { message } from './lines.fixture.ts'

const agent = (text: string): RawMessage => ({ from: 'agent', text })
const asked: RawMessage = {
  from: 'host',
  text: JSON.stringify({ method: 'POST', path: '/session/S/prompt_async', body: { parts: [] } }),
}

it('[A13] a session can be forked after the last message of the model in it', () => {
  const lines = [
    asked,
    agent(message('u', 'user')),
    agent(message('a')),
    agent(message('b')),
    agent(message('c', 'assistant', {}, 'child')),
    agent(message('u', 'user')),
  ]
  expect(forkPoint(lines)).toEqual({ agentSession: 'S', last: 'b' })
  expect(forkPoint(lines.slice(1))).toBeNull()
  expect(forkPoint([asked])).toBeNull()
})

it('[A13] a fork gets the id of the message after its last one, which may not exist yet', () => {
  const messages = ['a', 'b', 'c'].map(id => ({ info: { id }, parts: [] }))
  const at = (last: string) => afterPoint(messages, { agentSession: 'S', last })
  expect([at('a'), at('c'), at('d')]).toEqual([{ messageID: 'b' }, {}, null])
  expect(afterPoint(null, { agentSession: 'S', last: 'a' })).toBeNull()
})
