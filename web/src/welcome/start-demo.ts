import type { Client } from 'dragoman/client'
import { demoAgent } from '../agents/use-agents.ts'
import { go } from '../places.ts'
import { keepTour } from './tour-state.ts'

/** Starts a session with the demo agent and its tour. The agent responds at once, so that the session is never empty. */
export async function startDemo(client: Client): Promise<void> {
  const { id } = await client.createSession({ agent: demoAgent, title: 'A tour of Dragoman' })
  keepTour(id, { step: 0, sent: [] })
  go({ page: 'session', session: id })
  await client.call('prompt', { params: { session: id }, body: { text: 'Hello' } })
}
