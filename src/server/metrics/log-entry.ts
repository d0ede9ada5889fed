import type { Entry } from '../../protocol/entry.ts'
import type { Level, Log } from '../log.ts'

type Told = readonly [level: Level, message: string, facts?: Readonly<Record<string, unknown>>]

/** Logs what starts, ends and fails in sessions, never the content of messages. */
export function logEntry(log: Log, { session, seq, event }: Entry): void {
  const told = tell(event)
  if (told === undefined) return
  const [level, message, facts] = told
  log(level, message, { session, seq, ...facts })
}

function tell(event: Entry['event']): Told | undefined {
  if (event.type === 'session-created') return ['info', 'A session was created.', { agent: event.agent }]
  if (event.type === 'interaction-started')
    return ['info', 'An interaction started.', { interaction: event.interaction, trigger: event.trigger }]
  if (event.type === 'interaction-ended') {
    const { interaction, outcome, reason } = event
    const level = outcome === 'failed' ? 'warning' : 'info'
    return [level, 'An interaction ended.', { interaction, outcome, reason }]
  }
  if (event.type === 'agent-connected')
    return ['info', 'An agent connected.', { agent: event.agent, process: event.process }]
  if (event.type === 'agent-exited') {
    const { code, signal, reason } = event
    return [reason === null ? 'info' : 'warning', 'An agent exited.', { code, signal, reason }]
  }
  if (event.type !== 'saving-delayed') return undefined
  return ['warning', 'Saving was delayed.', { code: event.code, milliseconds: event.milliseconds }]
}
