// @vitest-environment jsdom
import { expect, it, vi } from 'vitest'
import { pressKey, render, wait } from '../composer/render.fixture.tsx'
import { Commands } from './commands.tsx'

vi.mock('./command-palette.tsx', () => {
  throw new Error('The network is gone.')
})

it('[W1] a command palette that fails to load shows an error, and the page keeps working', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true
  }
  const { place } = await render(
    <>
      <main>The page</main>
      <Commands />
    </>,
  )
  await pressKey(document.body, 'k', { ctrlKey: true })
  await wait(50)
  expect(place.querySelector('dialog[open]')?.textContent).toContain(
    'The command palette couldn’t be displayed',
  )
  expect(place.querySelector('main')?.textContent).toBe('The page')
})
