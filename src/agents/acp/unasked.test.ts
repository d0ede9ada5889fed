import { describe, expect, it } from 'vitest'
import type { Thread } from '../../protocol/chunk.ts'
import type { Json } from '../../protocol/json.ts'
import { assertWellFormed } from '../../protocol/well-formed.ts'
import type { RawMessage } from '../agent.ts'
import { partsOf, stored, translateLines } from '../kit/lossless.fixture.ts'
import { acp } from './index.ts'
import {
  chunksOf,
  done,
  messagesOf,
  ofType,
  opened,
  ours,
  prompt,
  text,
  theirs,
  update,
} from './lines.fixture.ts'

describe('ACP messages without a prompt', () => {
  it('[A3] messages after the last answer are shown in it, also when there are many', () => {
    const many = Array.from({ length: 250 }, (_, count) => theirs({ method: 'x/new', params: { count } }))
    const messages = messagesOf([...opened, prompt(), text('Hi'), done(), ...many])
    expect(messages).toHaveLength(1)
    expect(messages[0]?.parts.filter(({ type }) => type === 'data-unknown')).toHaveLength(250)
  })

  it('[A3] text before any answer is still a message', () => {
    const messages = messagesOf([...opened, { from: 'agent', text: 'garbage' }, theirs({ w: 'kept' })])
    expect(messages).toHaveLength(1)
    expect(JSON.stringify(messages)).toContain('garbage')
    expect(JSON.stringify(messages)).toContain('"w":"kept"')
  })

  it('[A3] a refused request of ours is a notice, with the request', () => {
    const refused = (id: number, method: string, error: Json) => [
      ours({ id, method, params: {} }),
      theirs({ id, error }),
    ]
    const chunks = chunksOf([
      ...refused(4, 'session/set_mode', {
        code: -32603,
        message: 'Internal error',
        data: { details: 'No.' },
      }),
      ...refused(5, 'x/y', { code: -32601, message: '"Method not found": x/y' }),
      ...refused(6, 'session/new', { message: 'Bad', data: [{ message: 'cwd is missing' }] }),
      ...refused(7, 'session/load', { code: -32800, message: 'Cancelled' }),
    ])
    expect(ofType(chunks, 'data-notice').map(({ data }) => data.message)).toEqual([
      'No. (session/set_mode)',
      '"Method not found": x/y',
      'Bad cwd is missing (session/new)',
    ])
  })

  it('[P2] the agent’s lines alone give one message per answer, and one part per text', () => {
    const alone = [
      ...opened,
      prompt(),
      text('One, '),
      text('two.'),
      done(),
      prompt(4),
      text('Three.'),
      done(4),
    ]
      .filter(({ from }) => from === 'agent')
      .concat(theirs({ method: 'x/new' }))
    const messages = messagesOf(alone)
    const texts = messages.map(({ parts }) =>
      parts.flatMap(part => (part.type === 'text' ? [part.text] : [])),
    )
    expect(texts).toEqual([['One, two.'], ['Three.']])
    expect(messages.map(({ metadata }) => metadata)).toMatchObject([
      { agentSession: 's', model: 'm', reason: 'finished' },
      { agentSession: 's', reason: 'finished' },
    ])
    expect(messages[1]?.parts.at(-1)).toMatchObject({ type: 'data-unknown' })
  })

  it('[P4] messages of another session are a separate thread', () => {
    const other = (line: RawMessage): RawMessage => ({
      ...line,
      text: line.text.replace('"sessionId":"s"', '"sessionId":"t"'),
    })
    const chunks = translateLines(acp, [
      ...opened,
      prompt(),
      text('Our '),
      other(text('Their ')),
      text('words.'),
      other(text('own.')),
      other(update('tool_call', { toolCallId: 'c', title: 'x', status: 'in_progress' })),
      other(update('current_mode_update', { currentModeId: 'yolo' })),
      done(),
      other(text('Late.')),
    ])
    assertWellFormed(chunks)
    const textsOf = (thread: Thread) =>
      partsOf({ messages: stored(chunks).filter(each => each.thread === thread) }, 'text').map(
        part => part.text,
      )
    expect(textsOf(null)).toEqual(['Our words.'])
    expect(textsOf('t')).toEqual(['Their own.', 'Late.'])
    const called = partsOf({ messages: stored(chunks) }, 'data-subagent')
    expect(called).toMatchObject([{ id: 't', data: { description: 'Session t', status: 'completed' } }])
  })
})
