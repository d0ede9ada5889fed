// @vitest-environment jsdom
import { act } from 'react'
import { expect, it } from 'vitest'
import { render, wait } from '../composer/render.fixture.tsx'
import { openNewSession } from './new-session-door.ts'
import { NewSession } from './new-session.tsx'

it('[W2] the error “server unreachable” disappears once the agents are loaded', async () => {
  // jsdom has no modal dialogs.
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true
  }
  let isThere = false
  const answer = () => {
    if (!isThere) throw new TypeError('Failed to fetch')
    return null
  }
  const { place, press, button } = await render(<NewSession />, { answer })
  await act(async () => openNewSession())
  await wait(20)
  const alert = () => place.querySelector('form p[role="alert"]:last-of-type')?.textContent
  await act(async () => button('Start')?.click())
  await wait(20)
  expect(alert()).toBe('The server cannot be reached.')
  isThere = true
  await press('Try again')
  await wait(20)
  expect(place.textContent).toContain('Scripted agent')
  expect(alert()).toBe('')
  expect(place.textContent).not.toContain('cannot be reached')
})
