// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { render, wait } from '../composer/render.fixture.tsx'
import { DashboardPage } from './dashboard-page.tsx'

/** The page when no usage is counted yet, with this number of sessions still to count; and how often it loaded. */
async function show(waiting: number) {
  const server = { loads: 0, waiting }
  const answer = (address: string) => {
    if (!address.includes('/api/usage')) return null
    server.loads += 1
    const unknown = { sessions: 0, messages: 0, waiting: server.waiting }
    return Response.json({ rows: [], total: {}, unknown })
  }
  const { place } = await render(<DashboardPage />, { answer })
  await wait(100)
  return { place, server }
}

it('[W6] an empty period shows “No activity”', async () => {
  const { place } = await show(0)
  expect(place.textContent).toContain('No activity in the last 30 days')
})

it('[W6] “No activity” is not shown before all sessions are counted', async () => {
  const { place, server } = await show(1)
  expect(place.textContent).toContain('1 older session is still being counted')
  expect(place.textContent).not.toContain('No activity')
  server.waiting = 0
  await wait(2100)
  expect(place.textContent).toContain('No activity in the last 30 days')
})

it('[W6] usage is loaded again when the user returns to the page, and not otherwise', async () => {
  const { server } = await show(0)
  const before = server.loads
  await wait(10_000)
  expect(server.loads).toBe(before)
  document.dispatchEvent(new Event('visibilitychange'))
  await wait(100)
  expect(server.loads).toBe(before + 1)
})
