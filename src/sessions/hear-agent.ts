import type { Entry } from '../protocol/entry.ts'
import { attend } from './attend.ts'
import { stoppedByPerson } from './ending.ts'
import type { OwnedSession } from './owned-session.ts'
import { recall } from './recall.ts'
import { withAnswers } from './rules.ts'
import type { RunningAgent } from './running-agent.ts'
import { tell, type Scene } from './tell.ts'
import type { Understood } from './understand.ts'

/**
 * The straight path, from an agent's first line to its exit: what is heard is understood, then saved, and only
 * then does anyone know of it. The journal rings the bell, and a line of ours is sent.
 */
export async function hearAgent(owned: OwnedSession, running: RunningAgent): Promise<void> {
  const { checkpoint } = owned.host
  for await (const understood of running.inbox) {
    await checkpoint('translated')
    await recall(owned, running, understood)
    const entries = await save(owned, running, understood)
    await send(owned, understood)
    attend(owned, running, entries)
  }
}

/** Makes events and saves them, again and again if need be; what is remembered moves on only when they are saved. */
async function save(
  owned: OwnedSession,
  running: RunningAgent,
  understood: readonly Understood[],
): Promise<readonly Entry[]> {
  let { memory } = running
  const entries = await owned.appendUntilSaved(state => {
    const [next, events] = tell(running.memory, sceneOf(owned, running, state), understood)
    memory = next
    return withAnswers(state, events)
  })
  running.memory = memory
  return entries
}

function sceneOf(owned: OwnedSession, running: RunningAgent, state: Scene['state']): Scene {
  const { agent, id, serving, announced, ending } = running
  const isAsked = serving !== null && owned.interrupted === serving
  return {
    agent: agent.name,
    connection: id,
    newId: owned.host.newId,
    state,
    serving,
    announced,
    ending: ending ?? (isAsked ? stoppedByPerson : null),
  }
}

/** Lets our own lines go out, now that they are saved. */
async function send(
  { host: { checkpoint } }: OwnedSession,
  understood: readonly Understood[],
): Promise<void> {
  for (const item of understood) {
    if (item.type === 'asked-for-all') item.saved()
    if (item.type !== 'said' || item.saved === undefined) continue
    await checkpoint('before-send')
    item.saved()
    await checkpoint('after-send')
  }
}
