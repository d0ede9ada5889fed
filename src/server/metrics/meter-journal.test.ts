import { describe, expect, it } from 'vitest'
import type { Entry } from '../../protocol/entry.ts'
import type { Event } from '../../protocol/event.ts'
import type { SessionId } from '../../protocol/ids.ts'
import type { Journal } from '../../journal/journal.ts'
import { meterJournal } from './meter-journal.ts'
import { createMetrics } from './metrics.ts'

/** Saves events through a metered journal that keeps nothing. */
function newJournal() {
  const metrics = createMetrics()
  let [seq, at] = [0, 0]
  const entryOf = (event: Event) => ({ session: 's', seq: ++seq, id: `e${seq}`, at, event }) as Entry
  const keepsNothing: Partial<Journal> = { append: async (_, events) => events.map(entryOf) }
  const journal = meterJournal(keepsNothing as Journal, metrics, () => undefined)
  const save = async (time: number, event: unknown) => {
    at = time
    await journal.append('s' as SessionId, [event as Event])
  }
  return { save, text: () => metrics.registry.text() }
}

const spoke = (chunk: object) => ({
  type: 'agent-spoke',
  interaction: 'i',
  connection: 'c',
  raw: 'äb',
  chunks: [{ thread: null, chunk }],
})

describe('metrics of saved entries', () => {
  it('[O1] count events, bytes of native lines, and lines of an unknown kind', async () => {
    const { save, text } = newJournal()
    await save(0, { type: 'agent-connected', agent: 'scripted', connection: 'c', process: 1, resumed: null })
    await save(1, spoke({ type: 'data-unknown', data: {} }))
    await save(2, spoke({ type: 'start' }))
    const metrics = await text()
    expect(metrics).toContain('dragoman_events_saved_total{type="agent-spoke"} 2')
    expect(metrics).toContain('dragoman_raw_bytes 6')
    expect(metrics).toContain('dragoman_parser_errors_total{agent="scripted"} 1')
    expect(metrics).toContain('dragoman_agents_running{agent="scripted"} 1')
  })

  it('[O1] measure how long interactions ran and approvals waited', async () => {
    const { save, text } = newJournal()
    await save(0, {
      type: 'interaction-started',
      interaction: 'i',
      trigger: 'user',
      agent: 'scripted',
      prompt: null,
      parts: [],
    })
    await save(1000, spoke({ type: 'tool-approval-request', approvalId: 'a', toolCallId: 't' }))
    await save(8000, {
      type: 'approval-answered',
      approval: 'a',
      approved: false,
      reason: null,
      always: false,
    })
    await save(9000, {
      type: 'approval-answered',
      approval: 'a',
      approved: true,
      reason: null,
      always: false,
    })
    await save(20_000, {
      type: 'interaction-ended',
      interaction: 'i',
      outcome: 'finished',
      reason: null,
      chunks: [],
    })
    await save(21_000, {
      type: 'interaction-ended',
      interaction: 'of an earlier server',
      outcome: 'interrupted',
      reason: null,
      chunks: [],
    })
    const metrics = await text()
    expect(metrics).toContain('dragoman_interaction_seconds_sum{outcome="finished"} 20')
    expect(metrics).not.toContain('outcome="interrupted"')
    expect(metrics).toContain('dragoman_approval_wait_seconds_sum{result="denied"} 7')
    expect(metrics).not.toContain('result="granted"')
  })

  it('[O1] do not count the exit of an agent that an earlier server left open', async () => {
    const { save, text } = newJournal()
    await save(0, {
      type: 'agent-exited',
      connection: 'old',
      code: null,
      signal: null,
      reason: null,
      chunks: [],
    })
    await save(1, { type: 'agent-connected', agent: 'scripted', connection: 'c', process: 1, resumed: null })
    await save(2, { type: 'agent-exited', connection: 'c', code: 0, signal: null, reason: null, chunks: [] })
    expect(await text()).toContain('dragoman_agents_running{agent="scripted"} 0')
  })
})
