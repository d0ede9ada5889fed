// @vitest-environment jsdom
import { act } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { render, wait } from '../composer/render.fixture.tsx'
import { listed } from '../session-summary/listed.fixture.ts'
import { dismissToast, toasts } from '../ui/toast.ts'
import { ApprovalsPage } from './approvals-page.tsx'

afterEach(() => toasts().forEach(({ id }) => dismissToast(id)))

const rule = (id: string) => ({
  id,
  session: 's',
  agent: 'claude-code',
  tool: 'Bash',
  input: { command: `run ${id}` },
  command: `run ${id}`,
  approval: 'a',
  made: { seq: 1, at: 1 },
  used: 2,
})
const unknown = { code: 'unknown-rule', detail: 'Session s has no rule r1.', status: 404 }

/** The page with these rules; another tab may revoke them. */
async function open(...ids: readonly string[]) {
  let left = ids
  const answer = (address: string) => {
    if (address.includes('/api/approvals')) return Response.json({ approvals: [], sessions: [], next: null })
    if (address.endsWith('/api/rules')) return Response.json({ rules: left.map(rule), sessions: [listed()] })
    const revoked = /\/rules\/(\w+)/.exec(address)?.[1]
    if (revoked !== undefined) {
      if (!left.includes(revoked)) return Response.json(unknown, { status: 404 })
      left = left.filter(id => id !== revoked)
      return Response.json({ seq: 2 })
    }
    return address.includes('/api/sessions') ? Response.json({ sessions: [listed()], next: null }) : null
  }
  const main = (
    <main id="main" tabIndex={-1}>
      <ApprovalsPage />
    </main>
  )
  const page = await render(main, { answer })
  await wait(100)
  const rows = () => [...page.place.querySelectorAll<HTMLElement>('[aria-labelledby="rules"] li')]
  const revoke = async (at: number) => {
    const button = rows()[at]?.querySelector('button')
    await act(async () => {
      button?.focus()
      button?.click()
    })
    await wait(50)
  }
  return { ...page, rows, revoke, leave: (...now: readonly string[]) => void (left = now) }
}

describe('the rules of all sessions', () => {
  it('[W2] keep the focus in the table when one is revoked', async () => {
    const { rows, revoke } = await open('r1', 'r2')
    expect(rows()).toHaveLength(2)
    await revoke(0)
    expect(rows()).toHaveLength(1)
    expect(document.activeElement).toBe(rows()[0]?.querySelector('a'))
    await revoke(0)
    expect(rows()).toHaveLength(0)
    expect(document.activeElement?.id).toBe('main')
    expect(toasts()).toEqual([])
  })

  it('[W2] remove a rule that was revoked elsewhere, and report it without its ID', async () => {
    const { rows, revoke, leave } = await open('r1', 'r2')
    leave('r2')
    await revoke(0)
    expect(toasts()).toMatchObject([{ text: 'This rule was already revoked.', tone: 'plain' }])
    expect(rows().map(row => row.dataset['listed'])).toEqual(['r2'])
  })

  it('[W2] load again when the user returns to the page', async () => {
    const { rows, leave } = await open('r1', 'r2')
    leave('r2')
    await act(async () => void document.dispatchEvent(new Event('visibilitychange')))
    await wait(50)
    expect(rows().map(row => row.dataset['listed'])).toEqual(['r2'])
    leave()
    await act(async () => void window.dispatchEvent(new Event('focus')))
    await wait(50)
    expect(rows()).toHaveLength(0)
  })
})
