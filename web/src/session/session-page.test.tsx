// @vitest-environment jsdom
import { useEffect, type ReactElement } from 'react'
import { useClient } from 'dragoman/react'
import { expect, it } from 'vitest'
import { render, wait } from '../composer/render.fixture.tsx'
import { stubSizes } from '../transcript/sizes.fixture.ts'
import { SessionPage } from './session-page.tsx'

/** A page that was closed with an unsent prompt, and opens while the server is down. */
function Reloaded(): ReactElement {
  const client = useClient()
  useEffect(() => {
    // Effects are run twice in tests.
    if (client.outbox.items.get().length === 0) client.session('s').prompt('written while down')
  }, [client])
  return <SessionPage id="s" message={undefined} interaction={undefined} found={undefined} />
}

it('[W3] unsent prompts are listed, to be edited or discarded, while the session cannot be loaded', async () => {
  stubSizes()
  const answer = (address: string) =>
    address.includes('/api/sessions/') ? new Response(null, { status: 502 }) : null
  const { place, button, field, press } = await render(<Reloaded />, { answer })
  await wait(300)
  expect(place.textContent).toContain('Loading')
  expect(place.textContent).toContain('written while down')
  expect(button('Discard')).toBeDefined()
  await press('Edit')
  expect(field('Message')?.value).toBe('written while down')
  expect(button('Discard')).toBeUndefined()
})
