// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { render, wait } from '../composer/render.fixture.tsx'
import { FoundSessions } from './found-sessions.tsx'
import { everything } from './session-search.ts'

it('[W1] “No sessions yet” is shown only after loading, and a failed load can be retried', async () => {
  let isThere = false
  const answer = (address: string) => {
    if (!address.includes('/api/sessions')) return null
    return isThere ? Response.json({ sessions: [], next: null }) : new Response('', { status: 418 })
  }
  const page = <FoundSessions search={everything} onShowAll={() => {}} />
  const { place, press } = await render(page, { answer })
  await wait(50)
  expect(place.textContent).toContain('Couldn’t load sessions: The server answered with status 418.')
  expect(place.textContent).not.toContain('No sessions yet')
  isThere = true
  // Lists load at most a few times a second.
  await wait(300)
  await press('Try again')
  await wait(50)
  expect(place.textContent).not.toContain('could not be read')
  expect(place.textContent).toContain('No sessions yet')
})
