// @vitest-environment jsdom
import { act } from 'react'
import { expect, it } from 'vitest'
import { render, wait } from '../composer/render.fixture.tsx'
import { SettingsPage } from './settings-page.tsx'

const settings = {
  agent: { value: null as string | null, isFixed: false },
  context: { value: 'safe', isFixed: false },
  options: {},
  folder: { data: '/data', default: '/work', roots: ['/work', '/home'] },
  prices: { date: '2026-09-23', own: { mine: { input: 1, output: 2 } } },
}

const agents = [
  {
    name: 'demo',
    title: 'Demo',
    status: 'ready',
    advice: null,
    capabilities: {},
    options: null,
    default: false,
  },
  {
    name: 'real',
    title: 'Real',
    status: 'ready',
    advice: null,
    capabilities: {},
    options: {
      type: 'object',
      properties: { model: { title: 'Model', type: 'string', 'x-place': 'bar', examples: ['oak'] } },
    },
    default: true,
  },
]

/** A server with these settings, which records what is sent. */
async function open(more: object = {}, refusal: string | null = null) {
  const sent: unknown[] = []
  let now = { ...settings, ...more }
  let isFollowing = true
  const answer = (address: string, init?: RequestInit) => {
    const path = new URL(address).pathname
    if (path === '/api/agents') return Response.json({ agents })
    if (path === '/api/approvals') return Response.json({ approvals: [], sessions: [], next: null })
    if (path === '/api/rules') return Response.json({ rules: [], sessions: [] })
    if (path === '/api/sessions') return Response.json({ sessions: [], next: null })
    if (path === '/api/tickets')
      return Response.json({ ticket: 't', url: 'http://fake/?ticket=t', expiresAt: 1 })
    if (path === '/api/imports') {
      if (init?.method === 'PATCH') {
        const { following } = JSON.parse(init.body as string) as { readonly following: boolean }
        sent.push({ following })
        isFollowing = following
      }
      const following = { on: isFollowing, by: 'person' }
      return Response.json({ found: [], running: null, imports: [], following })
    }
    if (path !== '/api/settings') return null
    if (init?.method !== 'PATCH') return Response.json(now)
    const body = JSON.parse(init.body as string) as { readonly agent?: string; readonly context?: string }
    sent.push(body)
    if (refusal !== null)
      return Response.json(
        { code: 'invalid-input', detail: refusal, status: 400 },
        { status: 400, headers: { 'content-type': 'application/problem+json' } },
      )
    if (body.context !== undefined) now = { ...now, context: { value: body.context, isFixed: false } }
    return Response.json(now)
  }
  const page = await render(<SettingsPage />, { answer })
  await wait(50)
  const select = (name: string) =>
    [...page.place.querySelectorAll('select')].find(
      each =>
        each.ariaLabel === name || page.place.querySelector(`label[for="${each.id}"]`)?.textContent === name,
    )
  const choose = async (name: string, value: string) => {
    await act(async () => {
      const field = select(name)
      if (field === undefined) throw new Error(`no ${name}`)
      field.value = value
      field.dispatchEvent(new Event('change', { bubbles: true }))
    })
    await wait(50)
  }
  return { ...page, sent, select, choose }
}

it('[A17] shows the default agent with its options, and saves what is chosen', async () => {
  const { select, choose, sent } = await open()
  expect(select('Default agent')?.selectedOptions[0]?.text).toBe('Best one that is ready (now Real)')
  await choose('Model', 'oak')
  await choose('Context trimming', 'balanced')
  await choose('Default agent', 'demo')
  expect(sent).toEqual([{ options: { real: { model: 'oak' } } }, { context: 'balanced' }, { agent: 'demo' }])
  expect(select('Context trimming')?.value).toBe('balanced')
})

it('[O1] following the terminals of agents is turned off and on', async () => {
  const { place, sent } = await open()
  const box = () => place.querySelector<HTMLInputElement>('input[type=checkbox][aria-label="Follow agents"]')
  expect(box()?.checked).toBe(true)
  await act(async () => box()?.click())
  await wait(50)
  expect(sent).toEqual([{ following: false }])
  expect(box()?.checked).toBe(false)
})

it('[A17] a setting that was set at the start is shown and cannot be changed', async () => {
  const { place, select } = await open({
    agent: { value: 'demo', isFixed: true },
    context: { value: 'off', isFixed: true },
  })
  expect(select('Default agent')?.disabled).toBe(true)
  expect(select('Context trimming')?.disabled).toBe(true)
  expect(place.textContent).toContain('Set when the server was started: in dragoman.json')
})

it('[A17] a refused change is explained, and the list shows the saved value', async () => {
  const { place, choose, select } = await open({}, 'No such profile.')
  await choose('Context trimming', 'off')
  expect(place.querySelector('[role=alert]')?.textContent).toBe('No such profile.')
  expect(select('Context trimming')?.value).toBe('safe')
})

it('[A17] shows the prices, the folders, and that there are no rules', async () => {
  const { place } = await open()
  expect(place.textContent).toContain('List prices of 2026-09-23')
  expect(place.textContent).toContain('mine: 1 for input, 2 for output')
  expect(place.textContent).toContain('/data/token')
  expect(place.textContent).toContain('/home')
  expect(place.textContent).toContain('There are no rules.')
})

it('[A17] creates a sign-in link, and asks again before it signs out every browser', async () => {
  const { place, press, button } = await open()
  await press('Create sign-in link')
  await wait(50)
  expect(place.textContent).toContain('http://fake/?ticket=t')
  await press('Sign out every browser')
  expect(button('Sign out every browser now')).toBeDefined()
  await press('Cancel')
  expect(button('Sign out every browser')).toBeDefined()
})
