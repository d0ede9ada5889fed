import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ConnectionId } from '../../protocol/ids.ts'
import { initial, translateMessage } from './index.ts'
import {
  begin,
  block,
  chunksOf,
  inThread,
  line,
  noticesIn,
  only,
  ours,
  recording,
  result,
  whole,
} from './lines.fixture.ts'

const kindsIn = (...lines: Parameters<typeof inThread>[0][number][]) =>
  only(inThread(lines), 'data-unknown').map(({ data }) => data.kind)

describe('unknown messages of Claude Code', () => {
  it('[A3] the fields that name a refused message are known', () => {
    const refused = [
      line({ type: 'user', refused_message_id: 'm', message: { role: 'user', content: 'Go' } }),
      whole('m1', [{ type: 'text', text: 'Here.' }], { refused_message_id: 'm' }),
      result(),
    ]
    expect(kindsIn(...refused)).toEqual([])
  })

  it('[A3] unknown kinds of messages, events, blocks and deltas are shown and kept, and the answer continues', () => {
    const strange = [
      line({ type: 'brand_new', x: 1 }),
      line({ nothing: 'typed' }),
      line({ type: 'system', subtype: 'brand_new' }),
      line({ type: 'stream_event', event: { type: 'brand_new' } }),
      line({ type: 'stream_event' }),
      whole('m1', [
        { type: 'hologram', data: 'x' },
        { type: 'text', text: 'Here.' },
      ]),
      result(),
    ]
    expect(kindsIn(...strange)).toEqual([
      'brand_new',
      'untyped',
      'system/brand_new',
      'stream_event/brand_new',
      'stream_event/untyped',
      'block/hologram',
    ])
    expect(only(inThread(strange), 'text-delta')).toHaveLength(1)
  })

  it('[A3] [R4] a new kind of delta is shown once per block', () => {
    const many = Array.from({ length: 100 }, () => ({ type: 'smell_delta', smell: 'x' }))
    expect(kindsIn(begin('m1'), ...block(0, { type: 'smell' }, ...many), result())).toEqual([])
    expect(kindsIn(begin('m1'), ...block(0, { type: 'text', text: '' }, ...many), result())).toEqual([
      'delta/smell_delta',
    ])
  })

  it('[A3] a request of an unknown kind is shown, with any answer of ours', () => {
    const asks = (request: object) => line({ type: 'control_request', request_id: 'r', request })
    const strange = [
      asks({ subtype: 'request_user_dialog', words: 'kept' }),
      asks({ subtype: 'can_use_tool' }),
      asks({ subtype: 'hook_callback' }),
      asks({ subtype: 'mcp_message' }),
    ]
    expect(kindsIn(...strange, result())).toEqual([
      'control_request/request_user_dialog',
      'control_request/can_use_tool',
    ])
    expect(JSON.stringify(inThread(strange))).toContain('"words":"kept"')
  })

  it('[A3] a line that is not JSON is a notice, and ends nothing', () => {
    const chunks = inThread([{ from: 'agent', text: 'Segmentation fault' }, result()])
    expect(noticesIn(chunks).map(([code]) => code)).toEqual(['not-json'])
    expect(only(chunks, 'finish')).toHaveLength(1)
  })

  it('[J16] limits of a subscription are reported, also while they are far away', () => {
    const limited = (facts: object) => line({ type: 'rate_limit_event', rate_limit_info: facts })
    const chunks = inThread([
      limited({ status: 'allowed', rateLimitType: 'seven_day', utilization: 0.4, resetsAt: 1_795_000_000 }),
      limited({ status: 'rejected', rateLimitType: 'five_hour', utilization: 1e308, resetsAt: 'never' }),
      limited({ status: 'allowed' }),
      result(),
    ])
    expect(only(chunks, 'data-limits').map(({ id, data }) => [id, ...data.limits])).toEqual([
      ['limits-seven_day', { name: 'week', used: 0.4, resetsAt: 1_795_000_000_000, isReached: false }],
      ['limits-five_hour', { name: '5 hours', used: null, resetsAt: null, isReached: true }],
    ])
  })

  it('[A3] messages for a person are notices, and no others are', () => {
    const system = (subtype: string, more: object) => line({ type: 'system', subtype, ...more })
    const chunks = inThread([
      system('informational', { content: 'Mind the gap.', level: 'warning' }),
      system('notification', { text: 'Ding.' }),
      system('local_command_output', { content: 'Out.' }),
      system('plugin_install', { status: 'failed', error: 'No such plugin.' }),
      system('mirror_error', { error: 'Disk full.' }),
      system('files_persisted', { files: [], failed: [{}] }),
      system('session_writes_lost', { error_code: 'ENOSPC' }),
      system('worker_shutting_down', { reason: 'Update.' }),
      system('status', { status: null, compact_error: 'Too short.' }),
      system('hook_response', { hook_name: 'Stop', outcome: 'error', output: 'Bad.' }),
      line({ type: 'rate_limit_event', rate_limit_info: { status: 'rejected', rateLimitType: 'five_hour' } }),
      line({ type: 'rate_limit_event', rate_limit_info: { status: 'allowed' } }),
      line({ type: 'auth_status', error: 'Log in.', output: [] }),
      line({ type: 'conversation_reset' }),
      line({ type: 'control_response', response: { subtype: 'error', error: 'No such model.' } }),
      line({ type: 'control_response', response: { subtype: 'error', error: 'Dragoman does not do "x".' } }),
      line({
        type: 'control_request',
        request_id: 'r',
        request: { subtype: 'elicitation', mcp_server_name: 'demo', message: 'Your name?' },
      }),
      line({ type: 'keep_alive' }),
      result(),
    ])
    expect(noticesIn(chunks).map(([code]) => code)).toEqual([
      'informational',
      'notification',
      'local-command',
      'plugin-install',
      'mirror-error',
      'files-not-kept',
      'transcript-incomplete',
      'shutting-down',
      'compaction-failed',
      'hook',
      'rate-limit',
      'login',
      'reset',
      'refused',
      'form-declined',
    ])
    expect(only(chunks, 'data-unknown')).toEqual([])
  })

  it('[A4] messages of the Agent SDK are translated without a line', () => {
    const [state] = translateMessage(initial('c' as ConnectionId), {
      type: 'system',
      subtype: 'status',
      status: 'requesting',
    })
    const [, chunks] = translateMessage(state, {
      type: 'assistant',
      message: { id: 'm', content: [{ type: 'text', text: 'Hi' }] },
    })
    expect(chunks.map(({ chunk }) => chunk.type)).toEqual([
      'start-step',
      'text-start',
      'text-delta',
      'text-end',
    ])
  })

  const names = [
    'subagent-background',
    'permission-allow.both',
    'api-error-midstream-multi',
    'interrupt-midstream.both',
    'tool-parallel-one-fails',
    'compact',
    'todo-write',
  ]
  const lines = names.flatMap(recording)
  const odd = fc.oneof(
    fc.constant(null),
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.constant({}),
    fc.constant([{}]),
    fc.constant(''),
  )

  it('[R2] keeps the rules of the stream for lines in any order, repeated, left out, or with odd values', () => {
    const pick = fc.record({ at: fc.nat(lines.length - 1), key: fc.nat(40), value: odd, spoil: fc.boolean() })
    fc.assert(
      fc.property(fc.array(pick, { maxLength: 60 }), picks => {
        chunksOf(
          picks.map(({ at, key, value, spoil }) =>
            spoil ? spoiled(at, key, value) : (lines[at] ?? ours({})),
          ),
        )
      }),
      { numRuns: 400 },
    )
  })

  /** A line with another value somewhere. */
  function spoiled(at: number, key: number, value: unknown) {
    const { from, text } = lines[at] ?? ours({})
    let count = 0
    const reviver = (_: string, each: unknown) => ((count += 1) === key + 1 ? value : each)
    return { from, text: JSON.stringify(JSON.parse(text, reviver)) }
  }
})
