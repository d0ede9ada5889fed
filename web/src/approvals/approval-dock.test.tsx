// @vitest-environment jsdom
import { act } from 'react'
import { DragomanError } from 'dragoman/client'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { listenForKeys } from '../keyboard/key-listener.ts'
import { fakeSession } from '../composer/fake-session.fixture.ts'
import { calm, pressKey, render, type, wait } from '../composer/render.fixture.tsx'
import { compareLines } from '../tools/diff/compare-lines.ts'
import type { CompareReply, CompareRequest } from '../tools/diff/compare-lines.ts'
import { dismissToast, toasts } from '../ui/toast.ts'
import { ApprovalDock } from './approval-dock.tsx'
import { ApprovalInline } from './approval-inline.tsx'
import { pendingApproval } from './pending.fixture.ts'

afterEach(() => vi.unstubAllGlobals())

/** A worker that answers only when the test lets it. */
const stubs = {
  answer: (() => {}) as (reply: CompareReply) => void,
  addEventListener(kind: string, listener: (event: { readonly data: CompareReply }) => void) {
    if (kind === 'message') stubs.answer = data => listener({ data })
  },
  terminate: () => {},
}

const approval = (id: string, tool = 'Bash', input: unknown = { command: `rm ${id}`, timeout: 5 }) =>
  pendingApproval(id, tool, input)

/** A question without a rule, which would repeat the input. */
const ruleless = (tool: string, input: unknown) => ({
  ...approval('a', tool, input),
  rule: null,
  ruleReason: 'None.',
})

type Asked = Omit<ReturnType<typeof approval>, 'by' | 'reason' | 'rule' | 'ruleReason'> & {
  readonly rule: object | null
  readonly ruleReason: string | null
  readonly by: string | null
  readonly reason: string | null
}

async function open(id: string, ...pending: readonly Asked[]) {
  let all = pending
  const fake = fakeSession(id)
  fake.set('pendingApprovals', pending)
  fake.set('approvals', pending)
  const inline = pending.map(each => <ApprovalInline key={each.id} session={fake.session} approval={each} />)
  const page = await render(
    <>
      <ApprovalDock session={fake.session} />
      {inline}
    </>,
    {
      answer: address =>
        address.includes('/approvals') ? Response.json({ approvals: all, rules: [] }) : null,
    },
  )
  await wait(calm)
  const leave = (...left: readonly Asked[]) => act(async () => fake.set('pendingApprovals', left))
  /** Settle the first request from elsewhere. */
  const settle = async (settled: Partial<Asked>) => {
    all = all.map((each, at) => (at === 0 ? { ...each, ...settled } : each))
    await leave(...all.filter(({ status }) => status === 'pending'))
    await wait(10)
  }
  return { ...fake, ...page, leave, settle }
}

describe('the approval dock', () => {
  it('[T6] the key of the next match denies nothing while the user finds text', async () => {
    const stop = listenForKeys()
    const { place, asked } = await open('finding', approval('a'))
    const bar = place.appendChild(document.createElement('div'))
    bar.dataset['findBar'] = ''
    await pressKey(document.body, 'n')
    expect(asked).toEqual([])
    bar.remove()
    await pressKey(document.body, 'n')
    expect(asked).toHaveLength(1)
    stop()
  })

  it('[T6] shows the whole request, and allows or denies it', async () => {
    const { place, press, asked, leave } = await open('plain', approval('a'), approval('b'))
    expect(place.textContent).toContain('rm a')
    expect(place.textContent).toContain('timeout5')
    expect(place.textContent).toContain('1 of 2')
    await press('Allow')
    await leave(approval('b'))
    await wait(calm)
    await press('Deny')
    expect(asked).toEqual([
      ['answer', 'a', { approved: true }],
      ['answer', 'b', { approved: false }],
    ])
  })

  it('[R3] shows a whole command, including characters that a terminal would interpret', async () => {
    const command = 'ls \u001b]0;; rm -rf ~ #\u0007 \u202e<b>'
    const { place } = await open('hidden', approval('a', 'Bash', { command }))
    const shown = place.querySelector('pre')
    expect(shown?.textContent).toMatch(/^ls .+0;; rm -rf ~ #.+<b>$/)
    for (const hidden of ['\u001b', '\u0007', '\u202e']) expect(shown?.textContent).not.toContain(hidden)
    expect(shown?.querySelector('b')).toBeNull()
  })

  it('[S10] shows every field of a command, even a Codex field of the same name without content', async () => {
    const input = { command: 'copy', source: '/etc/shadow', commandActions: ['send it'] }
    const { place } = await open('fields', ruleless('mcp__files__copy', input))
    expect(place.textContent).toContain('/etc/shadow')
    expect(place.textContent).toContain('send it')
  })

  it('[T6] ignores a double tap that would answer the next request', async () => {
    const { press, button, asked, leave } = await open('tap', approval('a'), approval('b'))
    await press('Allow')
    await leave(approval('b'))
    expect(button('Allow')?.disabled).toBe(true)
    await press('Allow')
    expect(asked).toHaveLength(1)
  })

  it('[T6] disables “Allow” until a large edit is compared, explains why, and can deny at any time', async () => {
    const stop = listenForKeys()
    const worker = { ...stubs, postMessage: vi.fn<(request: CompareRequest) => void>() }
    vi.stubGlobal('Worker', function start() {
      return worker
    })
    const lines = Array.from({ length: 300 }, (_, at) => `line ${at}`)
    const edit = {
      file_path: '/w/a.ts',
      old_string: lines.join('\n'),
      new_string: lines.with(9, 'new').join('\n'),
    }
    const { place, press, button, asked } = await open('large', approval('a', 'Edit', edit))
    await expect.poll(() => place.textContent).toContain('Comparing…')
    expect(place.textContent).toContain('You can allow this edit after its changes are shown.')
    expect(['Allow', 'Always allow', 'Deny'].map(word => button(word)?.disabled)).toEqual([true, true, false])
    await pressKey(document.body, 'y')
    await pressKey(document.body, 'a')
    expect(asked).toEqual([])
    await expect.poll(() => worker.postMessage.mock.calls).toHaveLength(1)
    for (const [{ id, from, to, first }] of worker.postMessage.mock.calls)
      await act(async () => stubs.answer({ id, comparison: compareLines(from, to, first) }))
    await expect.poll(() => button('Allow')?.disabled).toBe(false)
    expect(place.textContent).not.toContain('You can allow this edit')
    await press('Allow')
    expect(asked).toEqual([['answer', 'a', { approved: true }]])
    stop()
  })

  it('[T6] denies with a reason', async () => {
    const { press, field, place, asked } = await open('reason', approval('a'))
    await press('Deny with reason…')
    await type(place.querySelector('form input') as HTMLInputElement, 'not today')
    await press('Deny')
    expect(asked).toEqual([['answer', 'a', { approved: false, reason: 'not today' }]])
    expect(field('Message')).toBeUndefined()
  })

  it('[T6] allows a changed command, and shows the rule that “always” would create', async () => {
    const { press, place, asked } = await open('change', approval('a'))
    await press('Edit…')
    const area = place.querySelector('form textarea') as HTMLTextAreaElement
    await type(area, ' ')
    expect(place.textContent).toContain('Enter a command')
    await type(area, 'ls')
    expect(place.textContent).toContain(
      '“Always allow” covers only Bash with exactly {"command":"ls","timeout":5} in this session.',
    )
    await press('Always allow')
    expect(asked).toEqual([
      ['answer', 'a', { approved: true, input: { command: 'ls', timeout: 5 }, always: true }],
    ])
  })

  it('[T6] answers by shortcuts, but never while the user is typing', async () => {
    const stop = listenForKeys()
    const { place, asked } = await open('keys', approval('a'))
    const field = document.createElement('textarea')
    place.append(field)
    await pressKey(field, 'y')
    expect(asked).toEqual([])
    await pressKey(document.body, 'a')
    expect(asked).toEqual([['answer', 'a', { approved: true, always: true }]])
    stop()
  })

  it('[T6] reports who answered first, and offers a retry when the server was not reached', async () => {
    const { press, button, refuse } = await open('late', approval('a'))
    refuse('answer', new Error('Can’t reach the server.'))
    await press('Allow')
    expect(toasts().at(-1)?.text).toMatch(/Couldn’t send.*Try again/)
    expect(button('Allow')?.disabled).toBe(false)
    const winner = { event: { type: 'approval-answered', approved: false, by: 'person', reason: null } }
    refuse('answer', new DragomanError('approval-settled', 'Was answered already.', { winner }))
    await press('Allow')
    expect(toasts().at(-1)?.text).toMatch(/denied this first/)
    expect(button('Allow')?.disabled).toBe(true)
  })

  it.each(['Deny with reason…', 'Edit…'])(
    '[T6] reports who answered elsewhere while the user was writing in the “%s” form',
    async name => {
      const { press, settle, place } = await open(`overtaken ${name}`, approval('a'), approval('b'))
      const before = toasts().length
      await press(name)
      await type(place.querySelector<HTMLTextAreaElement>('form :is(textarea, input)') ?? undefined, 'mine')
      await settle({ status: 'denied', by: 'person', reason: 'keep it' })
      expect(toasts().at(-1)?.text).toBe(
        'Your answer was not sent. Someone else, or you in another tab, denied this first: keep it',
      )
      expect(toasts()).toHaveLength(before + 1)
      dismissToast(toasts().at(-1)?.id ?? 0)
    },
  )

  it('[T6] keeps the text of a draft while another request is answered elsewhere', async () => {
    const { press, leave, place } = await open('stays', approval('b'), approval('a'))
    const before = toasts().length
    await press('Next request')
    await wait(calm)
    await press('Edit…')
    await type(place.querySelector<HTMLTextAreaElement>('form textarea') ?? undefined, 'ls -l')
    await leave(approval('a'))
    await wait(10)
    expect(place.querySelector('form textarea')).toMatchObject({ value: 'ls -l' })
    expect(toasts()).toHaveLength(before)
  })

  it('[T6] reports no answer to the user who gave it, or who was not writing one', async () => {
    const { press, settle } = await open('own', approval('a'), approval('b'))
    const before = toasts().length
    await press('Deny with reason…')
    await press('Back')
    await settle({ status: 'denied', by: 'person' })
    expect(toasts()).toHaveLength(before)
    const second = await open('own too', approval('a'))
    await second.press('Deny with reason…')
    await second.press('Deny')
    await second.settle({ status: 'denied', by: 'person' })
    expect(second.asked).toEqual([['answer', 'a', { approved: false }]])
    expect(toasts()).toHaveLength(before)
  })

  it('[T6] shows questions as a form, with options and free text', async () => {
    const questions = [
      { question: 'Which colour?', options: ['red', 'green'] },
      { question: 'Which sizes?', options: ['S', 'M'], multiSelect: true },
    ]
    const { place, press, button, field, asked } = await open(
      'ask',
      approval('a', 'AskUserQuestion', { questions }),
    )
    expect([button('Allow'), button('Always allow'), button('Answer')?.disabled]).toEqual([
      undefined,
      undefined,
      true,
    ])
    const [, green, small, middle] = place.querySelectorAll<HTMLInputElement>('[type=radio], [type=checkbox]')
    for (const each of [green, middle, small]) await act(async () => each?.click())
    expect(field('Another answer')).toBeDefined()
    await press('Answer')
    const answers = { 'Which colour?': 'green', 'Which sizes?': 'S, M' }
    expect(asked).toEqual([['answer', 'a', { approved: true, input: { questions, answers } }]])
  })

  it('[T6] lists the rules that always allow, and revokes them', async () => {
    const { set, press, asked } = await open('rules', approval('a'))
    await act(async () =>
      set('rules', [
        {
          id: 'r1',
          agent: 'a',
          tool: 'Edit',
          input: { path: 'a' },
          approval: 'x',
          made: { seq: 1, at: 1 },
          used: 0,
        },
      ]),
    )
    await press('Revoke')
    expect(asked).toEqual([['revokeRule', 'r1']])
  })

  it('[W4] shows buttons once: beside the call only when the dock shows another request', async () => {
    const { place, leave } = await open('inline', approval('a'), approval('b'))
    const allows = () =>
      [...place.querySelectorAll('button')].filter(each => each.textContent.startsWith('Allow'))
    expect(place.textContent).toContain('Needs approval below')
    expect(allows()).toHaveLength(2)
    await leave(approval('a'))
    expect(place.textContent).toContain('Needs approval below')
  })

  it('[W7] shows no buttons beside a call that was answered, before the list is loaded again', async () => {
    const { leave, place } = await open('seen', approval('a'))
    await leave()
    expect([...place.querySelectorAll('button')]).toEqual([])
  })

  it('[W4] shows the answer beside the call', async () => {
    const { set, place } = await open('told', approval('a'))
    await act(async () =>
      set('approvals', [{ ...approval('a'), status: 'denied', by: 'person', reason: 'not today' }]),
    )
    expect(place.textContent).toContain('Denied by younot today')
  })

  it('[W4] shows beside the call who answered before the page was opened', async () => {
    const { session } = fakeSession('opened-later')
    const all = [{ ...approval('a'), status: 'granted', by: 'rule' }]
    const answer = (address: string) =>
      address.includes('/approvals') ? Response.json({ approvals: all, rules: [] }) : null
    const answered = { id: 'a', approved: true }
    const { place } = await render(<ApprovalInline session={session} approval={answered} />, { answer })
    expect(place.textContent).toBe('')
    await wait(600)
    expect(place.textContent).toBe('Allowed by a rule')
  })
})
