// @vitest-environment jsdom
import { act } from 'react'
import { DragomanError, type ListedApproval } from 'dragoman/client'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { listenForKeys } from '../keyboard/key-listener.ts'
import { fakeSession } from '../composer/fake-session.fixture.ts'
import { calm, pressKey, render, type, wait } from '../composer/render.fixture.tsx'
import { ApprovalDock } from './approval-dock.tsx'
import { ApprovalInline } from './approval-inline.tsx'
import { pendingApproval } from './pending.fixture.ts'

afterEach(() => {
  localStorage.clear()
  vi.unstubAllGlobals()
})

const approval = (id: string, tool = 'Bash', input: unknown = { command: `rm ${id}` }) =>
  pendingApproval(id, tool, input) as unknown as ListedApproval

/** The dock on a page that was opened just now. */
async function open(...pending: readonly ListedApproval[]) {
  const fake = fakeSession('s')
  fake.set('approvals', pending)
  fake.set('pendingApprovals', pending)
  const answer = (address: string) =>
    address.includes('/approvals') ? Response.json({ approvals: pending, rules: [] }) : null
  const page = await render(
    <>
      {pending.map(each => (
        <ApprovalInline key={each.id} session={fake.session} approval={each} />
      ))}
      <ApprovalDock session={fake.session} />
    </>,
    { answer },
  )
  await wait(calm)
  const field = () =>
    page.place.querySelector<HTMLTextAreaElement>('form :is(textarea, input:not([type=radio]))') ?? undefined
  const leave = (...left: readonly ListedApproval[]) => act(async () => fake.set('pendingApprovals', left))
  return { ...fake, ...page, field, leave }
}

const forms = ['Deny with reason…', 'Edit…']

describe('a draft answer', () => {
  it.each(forms)('[T6] is restored after a reload without taking the focus: %s', async name => {
    const first = await open(approval('a'))
    await first.press(name)
    expect(document.activeElement).toBe(first.field())
    await type(first.field(), 'mine')
    await first.unmount()
    const second = await open(approval('a'))
    expect(second.field()?.value).toBe('mine')
    expect(document.activeElement).toBe(document.body)
    await second.press(name === 'Edit…' ? 'Allow' : 'Deny')
    expect(second.asked).toMatchObject([['answer', 'a', { approved: name === 'Edit…' }]])
    expect(localStorage).toHaveLength(0)
  })

  it('[T6] is not skipped by “Allow” beside the call, which leads back to it', async () => {
    const { press, field, button } = await open(approval('a'), approval('b'))
    await press('Edit…')
    await type(field(), 'mine')
    await press('Next request')
    await wait(calm)
    expect(field()).toBeUndefined()
    await press('Continue your answer')
    await wait(calm)
    expect(field()?.value).toBe('mine')
    expect(button('Continue your answer')).toBeUndefined()
  })

  it.each(forms)('[T6] is restored after the user looked at another request: %s', async name => {
    const { press, field } = await open(approval('a'), approval('b'))
    await press(name)
    await type(field(), 'mine')
    await press('Next request')
    await wait(calm)
    expect(field()).toBeUndefined()
    await press('Previous request')
    await wait(calm)
    expect(field()?.value).toBe('mine')
  })

  it('[T6] is not skipped by the shortcut that answers at once', async () => {
    const stop = listenForKeys()
    const first = await open(approval('a'))
    await first.press('Edit…')
    await type(first.field(), 'ls')
    await first.unmount()
    const { asked, press } = await open(approval('a'))
    await pressKey(document.body, 'y')
    expect(asked).toEqual([])
    await press('Back')
    await pressKey(document.body, 'y')
    expect(asked).toEqual([['answer', 'a', { approved: true }]])
    stop()
  })

  it('[T6] is deleted when the user goes back, and when the request lapses', async () => {
    const first = await open(approval('a'), approval('b'))
    await first.press('Edit…')
    await type(first.field(), 'ls')
    await first.press('Back')
    expect(localStorage).toHaveLength(0)
    await first.press('Edit…')
    await type(first.field(), 'ls')
    expect(localStorage).toHaveLength(1)
    await first.leave(approval('b'))
    await wait(calm)
    expect(localStorage).toHaveLength(0)
    await first.press('Deny with reason…')
    await type(first.field(), 'later')
    await first.unmount()
    await open(approval('c'))
    expect(localStorage).toHaveLength(0)
  })

  it('[T6] stays when sending the answer fails, and is deleted when another answer came first', async () => {
    const { press, field, refuse } = await open(approval('a'))
    await press('Deny with reason…')
    await type(field(), 'mine')
    refuse('answer', new Error('Can’t reach the server.'))
    await press('Deny')
    expect(localStorage).toHaveLength(1)
    refuse('answer', new DragomanError('approval-settled', 'Was answered already.', {}))
    await press('Deny')
    expect(localStorage).toHaveLength(0)
  })

  it('[T6] is restored in a question with text, except for secrets', async () => {
    const questions = [
      { question: 'Which colour?', options: ['red', 'green'] },
      { question: 'Which word?', options: [], isSecret: true },
    ]
    const asks = approval('a', 'AskUserQuestion', { questions })
    const first = await open(asks)
    const own = () => [...first.place.querySelectorAll<HTMLInputElement>('input:not([type=radio])')]
    await type(own()[0], 'blue')
    await type(own()[1], 'hidden word')
    expect(JSON.stringify(localStorage)).not.toContain('hidden')
    await first.unmount()
    const { place } = await open(asks)
    const values = [...place.querySelectorAll<HTMLInputElement>('input:not([type=radio])')]
    expect(values.map(({ value }) => value)).toEqual(['blue', ''])
  })

  it('[T6] is restored in a form', async () => {
    const properties = { city: { type: 'string' }, size: { type: 'string', enum: ['S', 'M'] } }
    const asks = approval('a', 'elicitation', { requestedSchema: { properties } })
    const first = await open(asks)
    await type(first.field(), 'Oslo')
    await first.unmount()
    const { field, press, asked } = await open(asks)
    expect(field()?.value).toBe('Oslo')
    await press('Answer')
    expect(asked).toEqual([['answer', 'a', { approved: true, input: { city: 'Oslo' } }]])
  })

  it.each(['7', '"x"', '[]', '[7]', '[{"chosen":7,"own":{}}]', '[{"chosen":["none"]}]', '{'])(
    '[R2] is empty when the storage holds %s',
    async kept => {
      localStorage.setItem('dragoman begun', JSON.stringify([['words s a', kept]]))
      const questions = [{ question: 'Which colour?', options: ['red'] }]
      const { place, button } = await open(approval('a', 'AskUserQuestion', { questions }))
      expect(place.textContent).toContain('Which colour?')
      expect(button('Answer')?.disabled).toBe(true)
    },
  )
})
