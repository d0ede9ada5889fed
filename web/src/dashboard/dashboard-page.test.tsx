// @vitest-environment jsdom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createClient } from 'dragoman/client'
import { DragomanProvider } from 'dragoman/react'
import { DashboardPage } from './dashboard-page.tsx'

/** The page where nothing is counted yet, and so many sessions wait for that. */
async function show(waiting: number): Promise<HTMLElement> {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  const fetch = async () =>
    Response.json({ rows: [], total: {}, unknown: { sessions: 0, messages: 0, waiting } })
  const client = createClient({ url: 'http://fake', fetch, WebSocket: null, storage: new Map() })
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  onTestFinished(() => {
    act(() => root.unmount())
    client.close()
    place.remove()
    vi.unstubAllGlobals()
  })
  await act(async () =>
    root.render(
      <DragomanProvider client={client}>
        <DashboardPage />
      </DragomanProvider>,
    ),
  )
  const shown = () => act(async () => place.textContent)
  await expect.poll(shown).not.toContain('Loading')
  return place
}

it('says that nothing was done', async () => {
  expect((await show(0)).textContent).toContain('No activity in the last 30 days')
})

it('does not say so before all sessions are counted', async () => {
  const { textContent } = await show(1)
  expect(textContent).toContain('1 older session is still being counted')
  expect(textContent).not.toContain('Nothing was done')
})
