import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Json } from '../../protocol/json.ts'
import { forkPoint } from './fork-point.ts'
import { connectParrot } from './parrot.fixture.ts'

const assistant = (uuid: string, more: Readonly<Record<string, Json>> = {}) => ({
  from: 'agent' as const,
  text: JSON.stringify({
    type: 'assistant',
    uuid,
    session_id: 'S',
    parent_tool_use_id: null,
    message: { content: [{ type: 'text', text: 'hi' }] },
    ...more,
  }),
})

it('[A13] a recorded interaction can be forked after the last entry that its transcript has', () => {
  const file = join(import.meta.dirname, 'recordings', 'fork.1-first.jsonl')
  const texts = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  const messages = texts.map(text => JSON.parse(text) as Readonly<Record<string, Json>>)
  const last = messages.findLast(({ type }) => type === 'assistant')
  expect(last).toBeDefined()
  const lines = texts.map(text => ({ from: 'agent' as const, text }))
  expect(forkPoint(lines)).toEqual({ agentSession: last?.['session_id'], last: last?.['uuid'] })
})

it('[A13] only the main conversation counts, and only where it ended with text that is kept', () => {
  const lines = [assistant('one'), assistant('two'), assistant('sub', { parent_tool_use_id: 'call' })]
  expect(forkPoint(lines)).toEqual({ agentSession: 'S', last: 'two' })
  expect(forkPoint([])).toBeNull()
  const call = { content: [{ type: 'tool_use', id: 'c', name: 'Bash', input: {} }] }
  expect(forkPoint([assistant('one'), assistant('two', { message: call })])).toBeNull()
  expect(forkPoint([assistant('0d2f7c1e-0000-4000-8000-000000000001')])).toBeNull()
  expect(forkPoint([{ from: 'host', text: assistant('one').text }])).toBeNull()
})

it('[A13][P9] it starts with a copy of the session up to that point, and later resumes its own', async () => {
  const session = '9c5bb2a3-2a1f-4f83-8d3b-3a1f6f1f4f10'
  const fork = { agentSession: session, last: 'two' }
  const copy = await connectParrot({ fork })
  const { argv } = await copy.next('started')
  expect(argv).toEqual(
    expect.arrayContaining([`--resume=${session}`, '--fork-session', '--resume-session-at=two']),
  )
  const own = await connectParrot({ resume: 'own' })
  const again = JSON.stringify((await own.next('started'))['argv'])
  expect(again).toContain('--resume=own')
  expect(again).not.toMatch(/fork-session|resume-session-at/)
})
