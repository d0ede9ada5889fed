import { describe, expect, it } from 'vitest'
import { startServer, until } from './served.fixture.ts'

describe('createClient against a real server', () => {
  it.each(['websocket', 'sse'] as const)(
    '[C1] opens a session and shows it live over %s',
    async transport => {
      await using served = await startServer()
      const client = served.client(transport === 'sse' ? { WebSocket: null } : {})
      const { id } = await client.createSession({ options: { pace: 0 } })
      const session = client.session(id)
      const stop = session.messages.subscribe(() => {})
      const { saved } = session.prompt('everything')
      expect((await saved).repeated).toBe(false)
      await until(
        () =>
          session.status.get().status === 'waiting' ||
          (session.state.get().view.status.status === 'idle' && session.messages.get().length > 1),
        'an answer',
      )
      console.log(
        session.debug.get(),
        session.messages.get().map(m => [m.role, m.parts.length]),
        session.pendingApprovals.get(),
      )
      stop()
    },
  )
})
