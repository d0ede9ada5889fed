// @vitest-environment jsdom
import type { ReactElement } from 'react'
import { expect, it } from 'vitest'
import { useClient } from 'dragoman/react'
import { render, wait } from '../composer/render.fixture.tsx'
import { OutlinePanel } from './outline-panel.tsx'

const Page = (): ReactElement => <OutlinePanel session={useClient().session('s')} />

const turn = (id: string, more: object = {}) => ({
  id,
  trigger: 'user',
  agent: 'codex',
  prompt: null,
  state: 'closed',
  outcome: 'finished',
  reason: null,
  start: { seq: 1, at: 0 },
  stop: null,
  validity: 'active',
  deleted: false,
  pinned: false,
  messages: [],
  work: { pending: 0, success: 0, failure: 0, partial: 0 },
  ...more,
})
const change = (interaction: string, seq: number) => ({
  message: 'm',
  toolCallId: `c${seq}`,
  interaction,
  start: { seq, at: 0 },
  seqs: [seq],
})

/** Two pages of turns, the newest first, and three changes in the second turn. */
function answer(address: string): Response | null {
  const { pathname, searchParams } = new URL(address)
  if (pathname.endsWith('/work-log'))
    return Response.json({
      entries: searchParams.get('tool') === 'edit' ? [change('i2', 3), change('i2', 5)] : [change('i2', 4)],
      next: null,
    })
  if (!pathname.endsWith('/interactions')) return null
  expect(searchParams.get('texts')).toBe('1')
  return searchParams.has('before')
    ? Response.json({ interactions: [turn('i1', { text: 'Fix the\n\u202Eparser' })], next: null, asOf: 9 })
    : Response.json({
        interactions: [
          turn('i2', { text: 'Do it', work: { pending: 0, success: 3, failure: 2, partial: 0 } }),
          turn('i3', { text: 'Replaced', validity: 'superseded' }),
          turn('i4', { trigger: 'schedule' }),
        ],
        next: 7,
        asOf: 9,
      })
}

it('[W2] the outline lists the prompts of all pages, oldest first, with changes and failures', async () => {
  const { place } = await render(<Page />, { answer })
  await wait(100)
  await wait(100)
  const links = [...place.querySelectorAll('nav a')]
  expect(links.map(link => link.getAttribute('href'))).toEqual(['/s/s/i/i1', '/s/s/i/i2', '/s/s/i/i4'])
  expect(links[0]?.textContent).toContain('Fix the')
  expect(links[0]?.textContent).not.toContain('\u202E')
  expect(links[1]?.textContent).toBe('Do it3 changes2 failures')
  expect(links[2]?.textContent).toBe('Started by a schedule')
})

it('[W2] an outline that cannot be loaded says why, and can be loaded again', async () => {
  const broken = () => Response.json({ code: 'internal', detail: 'The disk is full.' }, { status: 500 })
  const { place, button } = await render(<Page />, { answer: broken })
  await wait(100)
  await wait(100)
  expect(place.textContent).toContain('Couldn’t load the outline')
  expect(button('Try again')).toBeDefined()
})
