import { DragomanError, isDragomanError } from '../../protocol/error.ts'
import type { Event } from '../../protocol/event.ts'
import type { InteractionId } from '../../protocol/ids.ts'
import { stoppedByPerson } from '../agent/ending.ts'
import type { OwnedSession } from '../own/owned-session.ts'
import type { Reply } from './reply.ts'
import type { RunningAgent } from '../agent/running-agent.ts'
import { endsWithin } from '../wait.ts'

/** Stops the running interaction. When nothing runs, that is not an error and has no effect. */
export async function interrupt(owned: OwnedSession): Promise<Reply<'interrupt'>> {
  try {
    return { interaction: (await stopAndSave(owned, [])).interaction, saved: true }
  } catch (error) {
    const interaction = runningIn(owned)
    if (interaction === null || owned.interrupted !== interaction) throw error
    return { interaction, saved: false }
  }
}

/** The running interaction and the last entry that was saved. */
interface Stopped {
  readonly interaction: InteractionId | null
  readonly seq: number
}

/**
 * Stops the running interaction, then saves the request to stop it, with some more events. It rejects when nothing could be saved:
 * the agent is still stopped, and the request is saved later if the interaction still runs by then.
 */
export async function stopAndSave(owned: OwnedSession, more: readonly Event[]): Promise<Stopped> {
  const saved = Promise.withResolvers<boolean>()
  let requested: InteractionId | null = null
  const begin = () => {
    const interaction = runningIn(owned)
    if (interaction === null || owned.interrupted === interaction) return
    owned.interrupted = requested = interaction
    owned.spawn(() => stop(owned, interaction, saved.promise))
  }
  const request = (): readonly Event[] =>
    requested === null || requested !== runningIn(owned)
      ? []
      : [{ type: 'interrupt-requested', interaction: requested }]

  begin()
  const saving = owned.write(async (appender): Promise<Stopped> => {
    // A prompt may have been saved while this waited for its turn.
    begin()
    const events = [...request(), ...more]
    const entries = events.length === 0 ? [] : await appender.append(events)
    return { interaction: runningIn(owned), seq: entries.at(-1)?.seq ?? 0 }
  })
  saving.catch((error: unknown) => {
    if (isDragomanError(error, 'disk-full', 'save-failed'))
      owned.spawn(async () => void (await owned.writer.appendUntilSaved(request)))
  })
  try {
    const { interruptMs } = owned.host.limits
    if (!(await endsWithin(interruptMs, saving))) throw tooSlow(interruptMs)
    return await saving
  } catch (error) {
    saved.resolve(false)
    throw error
  } finally {
    saved.resolve(true)
  }
}

const runningIn = ({ writer }: OwnedSession) => writer.state.summary.running?.interaction ?? null

const tooSlow = (milliseconds: number) =>
  new DragomanError('save-failed', `Saving did not finish within ${milliseconds / 1000} seconds.`)

/**
 * Stops an interaction: the agent is asked to stop and may keep running. It is ended when it cannot be asked, or does not stop in
 * time. It cannot be asked when nothing can be saved, because every line to an agent is saved first.
 */
async function stop(owned: OwnedSession, interaction: InteractionId, saved: Promise<boolean>): Promise<void> {
  const running = owned.agent
  if (running === null || running.serving !== interaction) return owned.starting?.abort()
  if (!running.isConnected || !running.agent.capabilities.interrupt) return running.end(stoppedByPerson)
  owned.spawn(() => ask(owned, running))
  const isOver = () => owned.writer.when(({ summary }) => summary.running?.interaction !== interaction)
  if (!(await saved) || !(await endsWithin(owned.host.limits.interruptMs, isOver())))
    running.end(stoppedByPerson)
}

async function ask(owned: OwnedSession, running: RunningAgent): Promise<void> {
  const connection = await running.connected
  await owned.host.checkpoint?.('before-interrupt')
  // When asking fails, the agent is ended like one that does not stop.
  await connection?.interrupt().catch(() => {})
  await owned.host.checkpoint?.('after-interrupt')
}
