import { describe, expect, it } from 'vitest'
import { eventually, openServed } from './served.fixture.ts'

describe('all sessions as server-sent events', () => {
  it('[C1] tells those at work, then every change, without ids', async () => {
    const served = await openServed()
    const busy = await served.session('busy')
    await served.session('idle')
    await served.call('prompt', { params: { session: busy }, body: { text: 'Show me a hang' } })
    const listening = await served.listen('/api/live/sessions')
    const told = () =>
      listening.events.map(
        ({ data }) => (JSON.parse(data) as { session: { id: string; status: string } }).session,
      )
    await listening.until(events => events.length > 0)
    expect(told()[0]).toMatchObject({ id: 'busy', status: 'running' })
    expect(told().some(({ id }) => id === 'idle')).toBe(false)
    await served.session('new')
    await served.call('interrupt', { params: { session: busy } })
    await eventually(() => told().some(({ id }) => id === 'new')).toBe(true)
    await eventually(() => told().findLast(({ id }) => id === 'busy')?.status).not.toBe('running')
    for (const { id, event } of listening.events) expect([id, event]).toEqual([null, 'session'])
    await served.stop()
    expect(await listening.ended).toBe(true)
    expect(listening.events.at(-1)).toMatchObject({ event: 'draining' })
  })
})
