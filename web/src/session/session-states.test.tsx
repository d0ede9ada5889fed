// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { fakeSession } from '../composer/fake-session.fixture.ts'
import { render, wait } from '../composer/render.fixture.tsx'
import { SessionGone } from './session-states.tsx'

const problem = {
  code: 'unknown-session',
  detail: 'There is no session s. List them with "dragoman sessions".',
}

async function gone(isDeleted: boolean) {
  const { session, asked, refuse } = fakeSession('s')
  // A page of a test cannot be loaded anew.
  refuse('undelete', new Error('Not now.'))
  const answer = (address: string) => {
    if (!address.endsWith('/api/sessions/s?deleted=1')) return null
    return isDeleted ? Response.json({ id: 's' }) : Response.json(problem, { status: 404 })
  }
  const page = await render(<SessionGone session={session} />, { answer })
  await wait(20)
  return { ...page, asked }
}

it('[W1] a deleted session can be brought back', async () => {
  const { place, press, asked } = await gone(true)
  expect(place.querySelector('h1')?.textContent).toBe('This session is not here')
  await press('Bring it back')
  expect(asked).toEqual([['undelete']])
})

it('[W1] an address of no session says so, and offers nothing to bring back', async () => {
  const { place, button } = await gone(false)
  expect(place.querySelector('h1')?.textContent).toBe('There is no such session')
  expect(button('Bring it back')).toBeUndefined()
  expect(place.textContent).not.toContain('dragoman sessions')
})
