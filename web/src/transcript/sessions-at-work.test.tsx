// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { useClient } from 'dragoman/react'
import { render, wait } from '../composer/render.fixture.tsx'
import { listed } from '../session-summary/listed.fixture.ts'
import { SessionsAtWork } from './sessions-at-work.tsx'

it('[W2] a queued session links to the running ones, first to those that wait for approval', async () => {
  const running = [
    listed({ id: 'own', status: 'running' }),
    listed({ id: 'busy', title: 'Busy', status: 'running' }),
    listed({ id: 'next', title: 'Next', status: 'running', awaitsPlace: 8 }),
  ]
  const waiting = [listed({ id: 'asks', title: 'Asks', status: 'waiting', pending: 1 })]
  const answer = (address: string) => {
    if (!address.includes('/api/sessions?')) return null
    return Response.json({ sessions: address.includes('status=waiting') ? waiting : running, next: null })
  }
  const List = () => <SessionsAtWork client={useClient()} waiting="own" />
  const { place } = await render(<List />, { answer })
  await wait(50)
  expect([...place.querySelectorAll('li')].map(each => each.textContent)).toEqual([
    'AsksWaiting for approval',
    'BusyRunning',
  ])
  expect([...place.querySelectorAll('a')].map(each => each.pathname)).toEqual(['/s/asks', '/s/busy'])
})
