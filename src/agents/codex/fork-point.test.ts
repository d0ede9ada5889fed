import { expect, it } from 'vitest'
import type { RawMessage } from '../agent.ts'
import { forkPoint } from './fork-point.ts'
import { turnBegins, turnEnds } from './talk.fixture.ts'

const host = (method: string, threadId: string): RawMessage => ({
  from: 'host',
  text: JSON.stringify({ id: 3, method, params: { threadId, input: [] } }),
})
const agent = (text: string): RawMessage => ({ from: 'agent', text })

it('[A13] a thread can be forked after the last turn of a prompt, not after turns of subagents', () => {
  const lines = [
    host('turn/start', 'T'),
    agent(turnBegins()),
    agent(turnBegins('V', 'child')),
    agent(turnEnds()),
    agent(turnEnds('completed', {}, 'V', 'child')),
  ]
  expect(forkPoint(lines)).toEqual({ agentSession: 'T', last: 'U' })
  expect(forkPoint(lines.slice(1))).toBeNull()
  expect(forkPoint(lines.slice(0, 3))).toBeNull()
  expect(forkPoint([agent('no JSON "turn/completed"'), host('thread/start', 'T')])).toBeNull()
})
