import type { Entry } from '../protocol/entry.ts'
import type { OpenParts } from '../protocol/open-parts.ts'
import type { OwnedSession } from './owned-session.ts'
import type { RunningAgent } from './running-agent.ts'

/** Sees to an agent after something of it was saved: it works, or it rests, or the next prompt's turn has come. */
export function attend(owned: OwnedSession, running: RunningAgent, entries: readonly Entry[]): void {
  const { summary, open } = owned.record.state
  for (const { event } of entries) {
    if (event.type === 'agent-connected') running.announced = true
    if (event.type === 'interaction-started') running.serving = event.interaction
  }
  if (summary.running !== null) return running.place.work()

  running.serving = null
  // What it writes beside its protocol is no work, and does not keep it here.
  if (!entries.every(({ event }) => event.type === 'agent-logged')) rest(running, open)
  if (entries.some(({ event }) => event.type === 'interaction-ended')) {
    owned.host.journal.rest(owned.record.session)
    owned.proceed()
  }
}

function rest(running: RunningAgent, { messages }: OpenParts): void {
  const leave = (reason: string) => running.end({ outcome: 'interrupted', reason })
  const isBusy = messages.some(message => message.live || message.subagents.length > 0)
  if (isBusy) running.place.linger(leave)
  else running.place.rest(leave)
}
