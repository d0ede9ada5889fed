import { describe, expect, it } from 'vitest'
import type { ConnectionId } from '../../protocol/ids.ts'
import type { Opening } from '../agent.ts'
import { claudeCode } from './index.ts'
import {
  begin,
  chunksOf,
  endingsIn,
  event,
  inThread,
  line,
  noticesIn,
  only,
  ours,
  recording,
  result,
  textIn,
  whole,
} from './lines.fixture.ts'

/** The numbers refer to the list of measured facts about Claude Code. */
describe('pitfalls of Claude Code: answers', () => {
  it('[P7] 8: an interrupt ends the answer as interrupted and keeps its text; the next answer is separate', () => {
    const chunks = inThread(recording('interrupt-midstream.both'))
    expect(textIn(chunks)).toBe('Once upon a time there was a repository with many, many files in itok')
    expect(endingsIn(chunks).map(({ reason }) => reason)).toEqual(['interrupted', 'finished'])
    expect(only(chunks, 'data-retracted')).toEqual([])
    expect(noticesIn(chunks)).toEqual([])
    expect(endingsIn(chunks)[0]).toMatchObject({ tokens: { input: 1001, output: 1 } })
    const tool = inThread(recording('interrupt-during-tool.both'))
    expect(endingsIn(tool)).toMatchObject([{ reason: 'interrupted' }])
    expect(only(tool, 'tool-output-error')).toHaveLength(1)
  })

  it('[P7] 8: a used-up budget fails the answer, and its call has an end', () => {
    const chunks = inThread(recording('max-budget'))
    expect(only(chunks, 'tool-output-error')).toHaveLength(1)
    expect(endingsIn(chunks)[0]).toMatchObject({ error: { kind: 'budget_exhausted' } })
  })

  it('[P7] 9: a success with is_error fails, once, with its type and its message', () => {
    const chunks = inThread(recording('api-error-400'))
    const message = 'API Error: 400 messages: scripted 400 from the fake server'
    expect(only(chunks, 'error').map(({ errorText }) => errorText)).toEqual([message])
    expect(endingsIn(chunks)[0]).toMatchObject({
      reason: 'failed',
      error: { kind: 'invalid_request_error', message },
    })
    expect(textIn(chunks)).toBe('')
    expect(endingsIn(inThread(recording('api-error-529-always')))[0]).toMatchObject({
      error: { kind: 'overloaded_error' },
    })
  })

  it('[P7] a service error that did not end the answer is a notice, also in a subagent', () => {
    const trouble = { error: 'server_error', is_api_error_message: true, api_error_type: 'overloaded_error' }
    const content = [{ type: 'text', text: 'API Error: busy' }]
    expect(noticesIn(inThread([whole('x', content, trouble), result()]))).toEqual([
      ['overloaded_error', 'API Error: busy'],
    ])
    const call = { type: 'tool_use', id: 'a1', name: 'Agent', input: {} }
    const lines = [
      whole('m', [call]),
      whole('x', content, { ...trouble, parent_tool_use_id: 'a1' }),
      result(),
    ]
    expect(noticesIn(inThread(lines, 'a1'))).toEqual([['overloaded_error', 'API Error: busy']])
  })

  it('[P2] 10: after a failed result nothing is open, so the exit code adds nothing', () => {
    const ended = chunksOf(recording('api-error-401'))
    const cut = chunksOf(recording('kill-midstream'))
    expect(ended.at(-1)?.chunk).toMatchObject({ type: 'finish', finishReason: 'error' })
    expect(cut.at(-1)?.chunk).toMatchObject({ type: 'finish', finishReason: 'other' })
  })

  it('[X1] 11: each result ends its own answer, also one without a prompt', () => {
    for (const name of ['subagent-background', 'background-bash'])
      expect(endingsIn(inThread(recording(name))).map(({ reason }) => reason)).toEqual([
        'finished',
        'finished',
      ])
    const suggestion = inThread(recording('prompt-suggestion'))
    expect(endingsIn(suggestion)).toHaveLength(3)
    expect(noticesIn(suggestion)).toEqual([
      ['suggestion', 'say four'],
      ['suggestion', 'say four'],
    ])
  })

  it('[X1] 11: a report from the background does not end the answer that a prompt waits for', () => {
    const prompt = ours({ type: 'user', uuid: 'p1', message: { role: 'user', content: 'Hi' } })
    const report = [
      begin('m1'),
      whole('m1', [{ type: 'text', text: 'It is done.' }]),
      result({ origin: { kind: 'task-notification' } }),
    ]
    const own = [
      begin('m2'),
      whole('m2', [{ type: 'text', text: ' Hi.' }]),
      result({ user_message_uuid: 'p1' }),
    ]
    const chunks = inThread([prompt, ...report, ...own])
    expect(textIn(chunks)).toBe('It is done. Hi.')
    expect(endingsIn(chunks)).toHaveLength(1)
    const completed = line({ type: 'command_lifecycle', command_uuid: 'p1', state: 'completed' })
    expect(endingsIn(inThread([prompt, ...report, completed]))).toMatchObject([{ reason: 'finished' }])
    const answered = result({ origin: { kind: 'task-notification' }, user_message_uuids: ['p1'] })
    expect(endingsIn(inThread([prompt, answered]))).toMatchObject([{ reason: 'finished' }])
  })

  it('[X1] 11: a message that joins the running answer has no separate result', () => {
    expect(endingsIn(inThread(recording('queued-message.both')))).toHaveLength(1)
  })

  it('[P7] 11: a command that Claude Code answers itself is an answer, with text or without', () => {
    const compact = inThread(recording('compact'))
    expect(noticesIn(compact).map(([code]) => code)).toEqual(['compacted', 'reminder', 'local-command'])
    expect(endingsIn(compact)).toHaveLength(2)
    expect(only(compact, 'start').map(({ messageId }) => messageId)).toEqual(['recording.1', 'recording.2'])
    expect(textIn(inThread([result({ result: 'Version 2', local_command: 'version' })]))).toBe('Version 2')
  })

  it('[P9] 12: agent and model are reported when they change, not with every answer', () => {
    expect(only(inThread(recording('streaming-input-two-turns.both')), 'data-session')).toHaveLength(1)
    expect(only(inThread(recording('set-mode-and-model.both')), 'data-session')).toHaveLength(2)
  })

  it('[P7] 16: the cost of an answer is separate, although the session’s total continues after a resume', () => {
    const [first] = endingsIn(inThread(recording('resume.1-first')))
    const [resumed] = endingsIn(inThread(recording('resume.2-resumed')))
    expect(first?.['cost']).toBeCloseTo(0.0043, 3)
    expect(resumed?.['cost']).toBeCloseTo(0.0043, 3)
    const older = [result({ total_cost_usd: 0.1 }), result({ total_cost_usd: 0.25 })]
    expect(endingsIn(inThread(older)).map(({ cost }) => cost)).toEqual([0.1, 0.15])
  })

  it('[P7] 16: an older release that was killed, or copied a session, counts on from older totals', () => {
    const totals = (requests: number) => ({
      tokens: { input: 10 * requests, output: requests, cacheRead: 0, cacheWrite: 0 },
      cost: 0.1 * requests,
    })
    const answered = (requests: number) =>
      result({
        usage: { input_tokens: 10, output_tokens: 1 },
        total_cost_usd: totals(requests).cost,
        modelUsage: { m: { inputTokens: 10 * requests, outputTokens: requests } },
      })
    const costAfter = (requests: number, opening: Opening['totals']) => {
      const state = claudeCode.initial('c' as ConnectionId, { totals: opening })
      const [, chunks] = claudeCode.translate(state, answered(requests))
      return endingsIn(chunks.map(({ chunk }) => chunk))[0]?.['cost']
    }
    // It had reported three requests, was killed, and had saved its count after two.
    expect(costAfter(3, { ...totals(3), earlier: [totals(2)] })).toBeCloseTo(0.1, 9)
    // Killed twice since its count was saved.
    expect(costAfter(3, { ...totals(3), earlier: [totals(3), totals(2)] })).toBeCloseTo(0.1, 9)
    // A copy counts from zero.
    expect(costAfter(1, totals(1))).toBeCloseTo(0.1, 9)
    // Its first answer was killed before it reported any tokens.
    expect(costAfter(1, { tokens: null, cost: 0 })).toBeCloseTo(0.1, 9)
    expect(costAfter(4, { ...totals(3), earlier: [totals(2)] })).toBeCloseTo(0.1, 9)
    expect(costAfter(4, null)).toBeUndefined()
  })

  it('[P7] 16: aborted requests count with the rest, although the sums of the result leave them out', () => {
    const tokensOf = (name: string) => endingsIn(inThread(recording(name)))[0]?.['tokens']
    expect(tokensOf('api-error-midstream')).toMatchObject({ input: 2003, output: 16 })
    expect(tokensOf('api-error-midstream-multi')).toMatchObject({ input: 3006, output: 72 })
    expect(tokensOf('api-cut-midstream')).toMatchObject({ input: 2003, output: 16 })
    const request = (id: string, input_tokens: number, output_tokens: number, stop_reason: string | null) => [
      event({
        type: 'message_start',
        message: { id, model: 'm', usage: { input_tokens, output_tokens: 1 } },
      }),
      event({ type: 'message_delta', delta: { stop_reason }, usage: { output_tokens } }),
    ]
    const stopped = result({
      subtype: 'error_during_execution',
      is_error: true,
      terminal_reason: 'aborted_streaming',
      usage: { input_tokens: 1001, output_tokens: 34 },
      model_usage_since_last_result: { m: { inputTokens: 1001, outputTokens: 34, costUSD: 0.01 } },
    })
    const lines = [...request('m1', 1001, 34, 'tool_use'), ...request('m2', 1002, 1, null), stopped]
    expect(endingsIn(inThread(lines))).toMatchObject([
      { reason: 'interrupted', tokens: { input: 2003, output: 35 }, cost: 0.01 },
    ])
  })

  it('[P9] 16: a fork has a separate session id', () => {
    const [first] = only(inThread(recording('fork.1-first')), 'data-session')
    const [forked] = only(inThread(recording('fork.2-forked')), 'data-session')
    expect(forked?.data.agentSession).not.toBe(first?.data.agentSession)
  })

  it('[T6] 17: a prompt that is echoed without being started was answered before, and ends at once', () => {
    const chunks = inThread(recording('streaming-input-uuids.both'))
    expect(textIn(chunks)).toBe('onetwo')
    const prompt = { type: 'user', uuid: 'p1', message: { role: 'user', content: 'Hi' } }
    const repeated = inThread([ours(prompt), line({ ...prompt, isReplay: true })])
    expect(noticesIn(repeated).map(([code]) => code)).toEqual(['prompt-repeated'])
    expect(endingsIn(repeated)).toMatchObject([{ reason: 'finished' }])
    const taken = line({ type: 'command_lifecycle', command_uuid: 'p1', state: 'started' })
    expect(inThread([ours(prompt), taken, line({ ...prompt, isReplay: true })])).toEqual([])
  })

  it('[T5] 17: a prompt that is cancelled before it starts ends as interrupted', () => {
    const prompt = ours({ type: 'user', uuid: 'p1', message: { role: 'user', content: 'Hi' } })
    const cancelled = line({ type: 'command_lifecycle', command_uuid: 'p1', state: 'cancelled' })
    expect(endingsIn(inThread([prompt, cancelled]))).toMatchObject([{ reason: 'interrupted' }])
  })

  it('[P7] a repeated result ends one answer, and not the next', () => {
    const prompt = (uuid: string) => ours({ type: 'user', uuid, message: { role: 'user', content: 'Hi' } })
    const answer = whole('m', [{ type: 'text', text: 'Hello' }])
    const ends = result({ uuid: 'r1' })
    expect(endingsIn(inThread([prompt('p1'), answer, ends, prompt('p2'), ends]))).toHaveLength(1)
    const next = result({ uuid: 'r2' })
    expect(endingsIn(inThread([prompt('p1'), answer, ends, prompt('p2'), ends, next]))).toHaveLength(2)
  })

  it('[P2] 22: steps are requests to the model, independent of its count of turns', () => {
    expect(only(inThread(recording('tool-parallel-one-fails')), 'start-step')).toHaveLength(2)
    expect(only(inThread(recording('max-turns')), 'start-step')).toHaveLength(2)
  })

  it('[P7] 23: at the output limit Claude Code retries and then fails; otherwise the answer ends with the reason length', () => {
    const chunks = inThread(recording('max-output-tokens'))
    expect(noticesIn(chunks).map(([code]) => code)).toEqual(['reminder', 'reminder', 'reminder'])
    expect(endingsIn(chunks)[0]).toMatchObject({ error: { kind: 'max_output_tokens' } })
    const finishes = ['max_tokens', 'refusal', 'end_turn'].map(
      stop_reason => only(inThread([result({ stop_reason })]), 'finish')[0]?.finishReason,
    )
    expect(finishes).toEqual(['length', 'content-filter', 'stop'])
  })
})

it('[A18] a session that Claude Code no longer has ends no answer: the prompt is sent again', () => {
  expect(chunksOf(recording('resume-unknown'))).toEqual([])
})
