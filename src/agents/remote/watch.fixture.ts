import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { openHouse } from '../../sessions/house.fixture.ts'
import type { Agent } from '../agent.ts'
import { newFolder, type Running } from './service.fixture.ts'

/** Whether a process runs. */
export const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** Prompts a session of an agent, does something in the middle of the answer, and returns how the interaction ended. */
export async function endOfInteraction(
  agent: Agent,
  text: string,
  meanwhile: (log: () => Promise<string>) => unknown = () => undefined,
) {
  const house = await openHouse([agent], { dataFolder: newFolder() })
  await using sessions = house.sessions
  const options = { pace: text === 'a long answer' ? 0.5 : 0 }
  const { session } = await sessions.execute({ type: 'create', agent: agent.name, cwd: newFolder(), options })
  await house.prompt(session, text)
  const begun = async () => (await house.events(session, 'agent-spoke')).length > 2
  const over = async () => (await house.events(session, 'interaction-ended')).length > 0
  await expect.poll(async () => (await begun()) || (await over())).toBe(true)
  await meanwhile(async () => (await house.events(session, 'agent-logged')).map(each => each.text).join(''))
  await expect.poll(over).toBe(true)
  const [ended] = await house.events(session, 'interaction-ended')
  return { ended, prompts: (await house.events(session, 'host-spoke')).length, session, house }
}

/** What a service reports about a session. */
export interface Listed {
  readonly pid: number
  readonly lines: number
  readonly events: number
}

/** The sessions of a service. */
export async function sessionsOf(service: Running): Promise<readonly Listed[]> {
  const { sessions } = (await (await service.call('/v1/sessions')).json()) as {
    readonly sessions: readonly Listed[]
  }
  return sessions
}
