// @vitest-environment jsdom
import { expect, it } from 'vitest'
import type { ListedApproval } from 'dragoman/client'
import { render, wait } from '../composer/render.fixture.tsx'
import { listed } from '../session-summary/listed.fixture.ts'
import { ApprovalsPage } from './approvals-page.tsx'

const approval = (at: number): ListedApproval & { readonly session: string } => ({
  id: `a${at}`,
  session: `s${at}`,
  status: 'granted',
  toolCallId: `c${at}`,
  tool: 'Bash',
  input: { command: `echo ${at}` },
  rule: null,
  ruleReason: null,
  thread: null,
  interaction: 'i',
  requested: { seq: 1, at },
  settled: { seq: 2, at },
  by: 'person',
  reason: null,
  always: false,
})

it('[W4] the page of 60 sessions makes three requests for approvals and rules, and none per session', async () => {
  const sessions = Array.from({ length: 60 }, (_, at) => listed({ id: `s${at}`, title: `Session ${at}` }))
  const asked: string[] = []
  const answer = (address: string) => {
    asked.push(address)
    if (address.endsWith('/api/rules')) return Response.json({ rules: [], sessions: [] })
    if (address.includes('/api/approvals?')) {
      const approvals = address.includes('status=settled') ? sessions.map((_, at) => approval(60 - at)) : []
      const known = [...sessions, listed({ id: 's60' })]
      return Response.json({ approvals, sessions: known, next: null })
    }
    return address.includes('/api/sessions') ? Response.json({ sessions, next: null }) : null
  }
  const { place } = await render(<ApprovalsPage />, { answer })
  await wait(500)
  expect(place.querySelectorAll('[aria-labelledby="past"] li')).toHaveLength(60)
  expect(place.querySelector('#waiting')?.textContent).toBe('No pending approvals')
  const requests = asked.filter(address => /approvals|rules/.test(address)).map(address => new URL(address))
  expect(requests.map(({ pathname, search }) => pathname + search).toSorted()).toEqual([
    '/api/approvals?status=pending&limit=100',
    '/api/approvals?status=settled&limit=100',
    '/api/rules',
  ])
})
