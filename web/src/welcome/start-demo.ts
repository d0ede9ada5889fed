import type { Client } from 'dragoman/client'
import { demoAgent } from '../agents/use-agents.ts'
import { go } from '../places.ts'
import { keepTour } from './tour-state.ts'

/** Starts a session with the demo agent, which shows a piece of work for a minute; the tour beside it is optional. */
export async function startDemo(client: Client): Promise<void> {
  const { id } = await client.createSession({ agent: demoAgent, title: 'Demo: round the total of the cart' })
  keepTour(id, { step: 0, sent: [] })
  go({ page: 'session', session: id })
  await client.call('prompt', { params: { session: id }, body: { text: 'Show me the demo' } })
}
