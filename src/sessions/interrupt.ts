import type { InteractionId } from '../protocol/ids.ts'
import { stoppedByPerson } from './ending.ts'
import type { LiveSession } from './live-session.ts'
import type { Reply } from './reply.ts'
import type { RunningAgent } from './running-agent.ts'
import { endsWithin } from './wait.ts'

/** Asks the running interaction to stop. When nothing runs, that is no mistake and has no effect. */
export async function interrupt(live: LiveSession): Promise<Reply<'interrupt'>> {
  const interaction = await live.wish(async pen => {
    const running = live.line.state.summary.running?.interaction ?? null
    if (running === null || live.interrupted === running) return running
    await pen.append([{ type: 'interrupt-requested', interaction: running }])
    live.interrupted = running
    live.spawn(() => stop(live, running))
    return running
  })
  return { interaction }
}

/** Stops an interaction: the agent may stop by itself and live on; one that cannot, or does not in time, is ended. */
export async function stop(live: LiveSession, interaction: InteractionId): Promise<void> {
  const running = live.agent
  if (running === null || running.serving !== interaction) return live.starting?.abort()
  if (!running.isConnected || !running.agent.capabilities.interrupt) return running.end(stoppedByPerson)
  live.spawn(() => ask(live, running))
  const isOver = live.line.when(({ summary }) => summary.running?.interaction !== interaction)
  if (!(await endsWithin(live.host.limits.interruptMs, isOver))) running.end(stoppedByPerson)
}

async function ask(live: LiveSession, running: RunningAgent): Promise<void> {
  const connection = await running.connected
  await live.host.checkpoint('before-interrupt')
  // A failure to ask needs no word of its own: the agent is then ended like one that does not listen.
  await connection?.interrupt().catch(() => {})
  await live.host.checkpoint('after-interrupt')
}
