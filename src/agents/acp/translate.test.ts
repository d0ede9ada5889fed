import { describe, expect, it } from 'vitest'
import type { RawMessage } from '../agent.ts'
import {
  chunksOf,
  done,
  messagesOf,
  ofType,
  opened,
  ours,
  prompt,
  text,
  textsOf,
  theirs,
  update,
} from './lines.fixture.ts'

describe('answers over ACP', () => {
  it('[P7] the reason for an end is reported, in detail in the metadata', () => {
    const finish = (stopReason: string) =>
      ofType(chunksOf([...opened, prompt(), text('x'), done(3, stopReason)]), 'finish')[0]
    expect(finish('end_turn')).toMatchObject({ finishReason: 'stop' })
    expect(finish('max_tokens')).toMatchObject({ finishReason: 'length' })
    expect(finish('max_turn_requests')).toMatchObject({
      finishReason: 'error',
      messageMetadata: { reason: 'failed', acp: { stopReason: 'max_turn_requests' } },
    })
    expect(finish('refusal')).toMatchObject({ finishReason: 'content-filter' })
    expect(finish('cancelled')).toMatchObject({ messageMetadata: { reason: 'interrupted' } })
    expect(finish('new_reason')).toMatchObject({ finishReason: 'other' })
  })

  it('[P7] an error of a prompt fails the answer with the message of the error', () => {
    const errorOf = (error: Record<string, string | number | object>) =>
      ofType(chunksOf([...opened, prompt(), theirs({ id: 3, error: error as never })]), 'error')[0]?.errorText
    expect(errorOf({ code: 400, message: '{"error":{"message":"Bad request"}}' })).toBe('Bad request')
    expect(errorOf({ code: -32603, message: 'Internal error', data: { details: '400 Bad' } })).toBe('400 Bad')
    expect(errorOf({ code: -32603, message: 'Internal error: Bad', data: { errorName: 'E' } })).toBe(
      'Internal error: Bad',
    )
    expect(errorOf({})).toBe('The agent failed and did not say why.')
  })

  it('[P7] a second prompt waits for the first; each answer has its own message', () => {
    const messages = messagesOf([...opened, prompt(3), text('a'), prompt(4), done(3), text('b'), done(4)])
    expect(messages.map(({ parts }) => parts.findLast(part => part.type === 'text')?.text)).toEqual([
      'a',
      'b',
    ])
  })

  it('[P7] version 2 accepts a prompt first and ends it with the idle state', () => {
    const lines = [
      ...opened,
      prompt(),
      update('state_update', { state: 'running' }),
      theirs({ id: 3, result: { messageId: 'u' } }),
      text('Hello', 'm'),
      update('state_update', { state: 'requires_action' }),
      update('state_update', {
        state: 'idle',
        stopReason: 'max_tokens',
        usage: { inputTokens: 5, outputTokens: 2 },
      }),
      update('state_update', { state: 'idle' }),
    ]
    const [message, ...more] = messagesOf(lines)
    expect(more).toEqual([])
    expect(message?.metadata).toMatchObject({
      tokens: { input: 5, output: 2 },
      acp: { stopReason: 'max_tokens' },
    })
  })

  it('[P7] version 2 may work without a prompt, and fail', () => {
    const messages = messagesOf([
      ...opened,
      update('state_update', { state: 'running' }),
      text('I noticed', 'm'),
      update('state_update', { state: 'idle', stopReason: 'error', error: { code: 1, message: 'Lost it' } }),
      prompt(),
      theirs({ id: 3, result: { messageId: 'u' } }),
      update('state_update', { state: 'idle', stopReason: 'end_turn' }),
    ])
    expect(messages).toMatchObject([
      { metadata: { reason: 'failed', error: { message: 'Lost it' } } },
      { metadata: { reason: 'finished' } },
    ])
  })

  it('[P9] a replayed conversation gives no chunks, also when our prompt comes before its end', () => {
    const load = ours({ id: 2, method: 'session/load', params: { sessionId: 's', cwd: '/work' } })
    const loaded = theirs({ id: 2, result: {} })
    const usage = [text('old'), update('tool_call', { toolCallId: 'c', status: 'completed' })]
    const late = [...opened.slice(0, 2), load, loaded, ...usage, prompt(), text('new'), done()]
    const early = [...opened.slice(0, 2), load, prompt(), ...usage, loaded, text('new'), done()]
    for (const lines of [late, early]) {
      expect(textsOf(lines)).toEqual(['new'])
      expect(messagesOf(lines)[0]?.metadata).toMatchObject({ agentSession: 's' })
      expect(textsOf([...lines, text('By the way')])).toEqual(['new', 'By the way'])
    }
  })

  it('[P9] a session that could not be resumed is reported', () => {
    const meta = { dragoman: { notResumed: 'old' } }
    const lines = [
      ours({ id: 2, method: 'session/new', params: { cwd: '/', _meta: meta } }),
      prompt(),
      done(),
    ]
    expect(ofType(chunksOf(lines), 'data-notice')).toMatchObject([{ data: { code: 'not-resumed' } }])
  })

  it('[P7] the cost of an answer is the growth of the session’s cost, and unknown right after a resume', () => {
    const cost = (amount: number) =>
      update('usage_update', { used: 1, size: 2, cost: { amount, currency: 'USD' } })
    const costs = (lines: readonly RawMessage[]) =>
      ofType(chunksOf(lines), 'finish').map(({ messageMetadata }) => messageMetadata?.['cost'])
    const twice = [prompt(3), cost(1), done(3), prompt(4), cost(1.5), done(4)]
    expect(costs([...opened, ...twice])).toEqual([1, 0.5])
    const resume = ours({ id: 2, method: 'session/resume', params: { sessionId: 's', cwd: '/' } })
    expect(costs([resume, theirs({ id: 2, result: {} }), ...twice])).toEqual([undefined, 0.5])
  })

  it('[P7] an empty text with usage ends a request to the model, and the usage is summed', () => {
    const step = update('agent_message_chunk', {
      content: { type: 'text', text: '' },
      _meta: { usage: { inputTokens: 10, outputTokens: 2, cachedReadTokens: 4, totalTokens: 16 } },
    })
    const chunks = chunksOf([...opened, prompt(), text('a'), step, text('b'), step, done()])
    expect(ofType(chunks, 'text-start')).toHaveLength(2)
    expect(ofType(chunks, 'data-usage').at(-1)?.data.tokens).toEqual({
      input: 20,
      output: 4,
      cacheRead: 8,
      cacheWrite: 0,
    })
  })

  it('[P7] cache reads are not counted again as input', () => {
    const tokens = (usage: Record<string, number>) => {
      const end = theirs({ id: 3, result: { stopReason: 'end_turn', usage } })
      return ofType(chunksOf([...opened, prompt(), end]), 'data-usage')[0]?.data.tokens
    }
    const usage = { inputTokens: 100, outputTokens: 5, cachedReadTokens: 80 }
    expect(tokens({ ...usage, totalTokens: 105 })).toMatchObject({ input: 20, cacheRead: 80, output: 5 })
    expect(tokens({ ...usage, totalTokens: 185 })).toMatchObject({ input: 100, cacheRead: 80 })
    expect(tokens(usage)).toMatchObject({ input: 100 })
  })

  it('[P2] plans, notices, modes and compactions are shown', () => {
    const chunks = chunksOf([
      ...opened,
      update('current_mode_update', { currentModeId: 'plan' }),
      prompt(),
      update('plan', { entries: [{ content: 'Look', status: 'in_progress', priority: 'high' }] }),
      update('plan_update', {
        plan: { type: 'items', planId: 'p', entries: [{ content: 'Do', status: 'completed' }] },
      }),
      update('plan_update', { plan: { type: 'markdown', planId: 'p', content: '# Plan' } }),
      update('plan_removed', { planId: 'p' }),
      update('notice', { severity: 'warning', title: 'Mind', description: 'the gap' }),
      update('compaction_update', { compactionId: 'k', status: 'in_progress' }),
      update('compaction_summary_chunk', {
        compactionId: 'k',
        content: { type: 'text', text: 'All of it.' },
      }),
      update('compaction_update', { compactionId: 'k', status: 'completed' }),
      done(),
    ])
    expect(ofType(chunks, 'data-todos').map(({ data }) => data.todos)).toEqual([
      [{ text: 'Look', status: 'in-progress' }],
      [{ text: 'Do', status: 'completed' }],
      [],
    ])
    const notices = ofType(chunks, 'data-notice').map(({ data }) => `${data.code} ${data.message}`)
    expect(notices).toEqual([
      'mode-changed Mode: plan',
      'plan # Plan',
      'agent-notice Mind\nthe gap',
      'compaction The agent compacts its context: in progress.',
      'compaction The agent compacts its context: completed.\nAll of it.',
    ])
  })
})
