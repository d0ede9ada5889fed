import { describe, expect, it } from 'vitest'
import { partsOf } from '../kit/lossless.fixture.ts'
import {
  begins,
  completes,
  delta,
  hear,
  heardOf,
  inTurn,
  text,
  threadAnswer,
  turnBegins,
  turnEnds,
} from './talk.fixture.ts'

const spawn = (id: string, receiverThreadIds: readonly string[], status = 'completed') => ({
  type: 'collabAgentToolCall',
  id,
  tool: 'spawnAgent',
  status,
  senderThreadId: 'T',
  receiverThreadIds,
  prompt: 'Look around',
})
const child = { threadId: 'C', turnId: 'W' }

describe('subagents', () => {
  it('[P4] speak in the thread of the call that started them, also before it is known which', () => {
    const heard = inTurn(
      begins(spawn('s', [], 'inProgress')),
      turnBegins('W', 'C'),
      begins({ type: 'agentMessage', id: 'x', text: '' }, child),
      delta('x', 'Looking', child),
      completes(spawn('s', ['C'])),
      text('x', 'Looking.', child),
      turnEnds('completed', {}, 'W', 'C'),
      text('a', 'Done.'),
    )
    expect(heard.messages.map(({ thread }) => thread)).toEqual([null, 's'])
    expect(partsOf(heard, 'data-subagent')).toMatchObject([
      { id: 's', data: { description: 'Look around', status: 'completed', lastWords: 'Looking.' } },
    ])
  })

  it('[P4] may work again, be stopped, and outlive the turn that started them', () => {
    const heard = hear(
      turnBegins(),
      completes(spawn('s', ['C'])),
      turnBegins('W', 'C'),
      text('x', 'Once.', child),
      turnEnds(),
      turnEnds('interrupted', {}, 'W', 'C'),
      turnBegins('X', 'C'),
      text('x', 'Twice.', { ...child, turnId: 'X' }),
      turnEnds('completed', {}, 'X', 'C'),
    )
    expect(heard.messages.filter(({ thread }) => thread === 's')).toHaveLength(2)
    expect(partsOf(heard, 'data-subagent')).toMatchObject([{ data: { status: 'completed' } }])
  })

  it('[P4] that could not be started are shown as failed', () => {
    const heard = inTurn(begins(spawn('s', [], 'inProgress')), completes(spawn('s', [], 'failed')))
    expect(partsOf(heard, 'data-subagent')).toMatchObject([{ data: { status: 'failed' } }])
    expect(partsOf(heard, 'dynamic-tool')).toMatchObject([{ toolName: 'spawnAgent', state: 'output-error' }])
  })

  it('[P4] of another kind are told of by items of their own', () => {
    const activity = (id: string, kind: string) =>
      completes({ type: 'subAgentActivity', id, kind, agentThreadId: 'C', agentPath: 'scout' })
    const heard = inTurn(activity('s', 'started'), text('x', 'Hm.', child), activity('t', 'interrupted'))
    expect(heard.messages.map(({ thread }) => thread)).toEqual([null, 's'])
    expect(partsOf(heard, 'data-subagent')).toMatchObject([{ data: { agent: 'scout', status: 'stopped' } }])
  })

  it('[P4] a thread that nobody started is kept apart from the conversation', () => {
    const heard = heardOf('two-threads')
    expect(heard.messages).toHaveLength(2)
    expect(partsOf(heard, 'text').map(part => part.text.slice(0, 3))).toEqual(['b0 ', 'a0 '])
    expect(partsOf(heard, 'dynamic-tool')).toMatchObject([{ toolName: 'unknown', state: 'output-available' }])
  })

  it('[P9] a fork of the conversation takes its place', () => {
    const forked = JSON.stringify({ id: 9, result: { thread: { id: 'F', forkedFromId: 'T' } } })
    const heard = hear(forked, threadAnswer('Z'), turnBegins('U', 'F'), text('a', 'Hi.', { threadId: 'F' }))
    expect(heard.messages.map(({ thread }) => thread)).toEqual([null])
    expect(partsOf(heard, 'data-session')).toMatchObject([{ data: { agentSession: 'F' } }])
    expect(partsOf(heardOf('live-fork'), 'text')).toMatchObject([{ text: 'Twice.' }])
  })

  it('[P4] bear the names that Codex gives them', () => {
    const [news] = partsOf(heardOf('live-subagent'), 'data-subagent')
    expect(news?.data).toMatchObject({ status: 'completed', toolCalls: 1, lastWords: 'Seen.' })
    expect(news?.data.agent).toMatch(/^[A-Z]\w+$/)
  })
})
