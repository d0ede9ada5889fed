import { describe, expect, it } from 'vitest'
import type { Entry } from '../../protocol/entry.ts'
import type { Event } from '../../protocol/event.ts'
import { createMetrics } from './metrics.ts'
import { createWatch } from './watch-entries.ts'

function newWatch() {
  const metrics = createMetrics()
  const see = createWatch(metrics)
  let seq = 0
  const tell = (at: number, event: unknown) =>
    see({ session: 's', seq: ++seq, id: `e${seq}`, at, event: event as Event } as Entry)
  return { tell, text: () => metrics.registry.text() }
}

const spoke = (chunk: object) => ({
  type: 'agent-spoke',
  interaction: 'i',
  connection: 'c',
  raw: 'äb',
  chunks: [{ thread: null, chunk }],
})

describe('what entries tell', () => {
  it('[O1] is counted: events, bytes, and what was not understood', async () => {
    const { tell, text } = newWatch()
    tell(0, { type: 'agent-connected', agent: 'scripted', connection: 'c', process: 1, resumed: null })
    tell(1, spoke({ type: 'data-unknown', data: {} }))
    tell(2, spoke({ type: 'start' }))
    const told = await text()
    expect(told).toContain('dragoman_events_saved_total{type="agent-spoke"} 2')
    expect(told).toContain('dragoman_raw_bytes 6')
    expect(told).toContain('dragoman_parser_errors_total{agent="scripted"} 1')
    expect(told).toContain('dragoman_agents_running{agent="scripted"} 1')
  })

  it('[O1] is measured: how long interactions took and questions waited', async () => {
    const { tell, text } = newWatch()
    tell(0, {
      type: 'interaction-started',
      interaction: 'i',
      trigger: 'user',
      agent: 'scripted',
      prompt: null,
      parts: [],
    })
    tell(1000, spoke({ type: 'tool-approval-request', approvalId: 'a', toolCallId: 't' }))
    tell(8000, { type: 'approval-answered', approval: 'a', approved: false, reason: null, always: false })
    tell(9000, { type: 'approval-answered', approval: 'a', approved: true, reason: null, always: false })
    tell(20_000, {
      type: 'interaction-ended',
      interaction: 'i',
      outcome: 'finished',
      reason: null,
      chunks: [],
    })
    tell(21_000, {
      type: 'interaction-ended',
      interaction: 'of an earlier server',
      outcome: 'interrupted',
      reason: null,
      chunks: [],
    })
    const told = await text()
    expect(told).toContain('dragoman_interaction_seconds_sum{outcome="finished"} 20')
    expect(told).not.toContain('outcome="interrupted"')
    expect(told).toContain('dragoman_approval_wait_seconds_sum{result="denied"} 7')
    expect(told).not.toContain('result="granted"')
  })

  it('[O1] an agent that an earlier server left behind is not counted when it is closed', async () => {
    const { tell, text } = newWatch()
    tell(0, { type: 'agent-exited', connection: 'old', code: null, signal: null, reason: null, chunks: [] })
    tell(1, { type: 'agent-connected', agent: 'scripted', connection: 'c', process: 1, resumed: null })
    tell(2, { type: 'agent-exited', connection: 'c', code: 0, signal: null, reason: null, chunks: [] })
    expect(await text()).toContain('dragoman_agents_running{agent="scripted"} 0')
  })
})
