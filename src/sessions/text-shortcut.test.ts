import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import type { Agent } from '../agents/agent.ts'
import { loadAgents } from '../agents/index.ts'
import { expectSameAsFolded } from '../catalogue/advance.fixture.ts'
import type { Entry } from '../protocol/entry.ts'
import type { Event } from '../protocol/event.ts'
import type { ConnectionId, InteractionId } from '../protocol/ids.ts'
import { journal, created, started } from '../projections/journal.fixture.ts'

const connection = 'recording' as ConnectionId

/** The session that a recording of an agent would give, with one entry per line. */
function sessionOf(agent: Agent, path: string): readonly Entry[] {
  let state = agent.initial(connection)
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
  const spoken = lines.flatMap((raw): Event[] => {
    const message = agent.readRecorded ? agent.readRecorded(raw) : ({ from: 'agent', text: raw } as const)
    if (message === null) return []
    const [next, chunks] = agent.translate(state, message)
    state = next
    const type = message.from === 'agent' ? 'agent-spoke' : 'host-spoke'
    return [{ type, connection, interaction: 'i1' as InteractionId, raw: message.text, chunks }]
  })
  const connected: Event = {
    type: 'agent-connected',
    connection,
    agent: agent.name,
    process: null,
    resumed: null,
  }
  // The second connection begins a new session of the agent while the name of the first is still known.
  return journal(created(), started('i1'), connected, ...spoken, connected, ...spoken)
}

it('[J5] in every recording, the shortcut for text gives the same state and changes as the full fold', async () => {
  let texts = 0
  for (const agent of await loadAgents()) {
    const folder = fileURLToPath(new URL(`../agents/${agent.name}/recordings/`, import.meta.url))
    if (!existsSync(folder)) continue
    for (const file of readdirSync(folder).filter(name => name.endsWith('.jsonl')))
      texts += expectSameAsFolded(sessionOf(agent, `${folder}${file}`))
  }
  expect(texts).toBeGreaterThan(1000)
})
