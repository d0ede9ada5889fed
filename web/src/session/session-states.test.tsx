// @vitest-environment jsdom
import { expect, it, onTestFinished } from 'vitest'
import { App } from '../app.tsx'
import { fakeSession } from '../composer/fake-session.fixture.ts'
import { render, wait } from '../composer/render.fixture.tsx'
import { ReplayPage } from '../replay/replay-page.tsx'
import { SessionGone } from './session-states.tsx'

const problem = {
  code: 'unknown-session',
  detail: 'There is no session s. List them with "dragoman sessions".',
}

async function gone(isDeleted: boolean) {
  const { session, asked, refuse } = fakeSession('s')
  // A page in a test cannot be reloaded.
  refuse('undelete', new Error('Not now.'))
  const answer = (address: string) => {
    if (!address.endsWith('/api/sessions/s?deleted=1')) return null
    return isDeleted ? Response.json({ id: 's' }) : Response.json(problem, { status: 404 })
  }
  const page = await render(<SessionGone session={session} />, { answer })
  await wait(20)
  return { ...page, asked }
}

it('[W1] a deleted session can be restored', async () => {
  const { place, press, asked } = await gone(true)
  expect(place.querySelector('h1')?.textContent).toBe('This session was deleted')
  await press('Restore')
  expect(asked).toEqual([['undelete']])
})

it('[W1] an unknown session shows “Session not found”, and nothing to restore', async () => {
  const { place, button } = await gone(false)
  expect(place.querySelector('h1')?.textContent).toBe('Session not found')
  expect(button('Restore')).toBeUndefined()
  expect(place.textContent).not.toContain('dragoman sessions')
  expect(button('Start a new session')).toBeDefined()
  expect(place.querySelector('a')?.getAttribute('href')).toBe('/')
})

it('[W6] the replay of an unknown session shows that page too', async () => {
  const answer = () => Response.json(problem, { status: 404 })
  const { place, button } = await render(<ReplayPage session="s" />, { answer })
  await wait(50)
  expect(place.querySelector('h1')?.textContent).toBe('Session not found')
  expect(place.textContent).not.toContain('dragoman sessions')
  expect(button('Start a new session')).toBeDefined()
})

it('[W1] an invalid session ID shows that page', async () => {
  window.history.replaceState(null, '', '/s/%3Cscript%3E')
  onTestFinished(() => window.history.replaceState(null, '', '/'))
  const { place, button } = await render(<App />, { answer: () => new Response('', { status: 418 }) })
  await wait(50)
  expect(place.querySelector('h1')?.textContent).toBe('Session not found')
  expect(button('Start a new session')).toBeDefined()
})
