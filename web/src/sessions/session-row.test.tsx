// @vitest-environment jsdom
import { act } from 'react'
import { expect, it, onTestFinished, vi } from 'vitest'
import { pressKey, render, wait } from '../composer/render.fixture.tsx'
import { toasts } from '../ui/toast.ts'
import { listed } from '../session-summary/listed.fixture.ts'
import { faceOf } from '../session-summary/session-face.ts'
import * as actions from './session-actions.ts'
import { SessionRow } from './session-row.tsx'

const row = (given: Parameters<typeof listed>[0], hasProject = true) => (
  <SessionRow
    face={faceOf(listed(given))}
    agent="Codex"
    age="3 h"
    isHere={false}
    isStop={false}
    hasProject={hasProject}
  />
)

/** The texts of a row, without those for screen readers. */
async function wordsOf(...given: Parameters<typeof row>): Promise<readonly string[]> {
  const { place } = await render(row(...given))
  const lines = [...place.querySelectorAll('a > :last-child > *')]
  const all = lines.flatMap(line => [...line.children].filter(({ className }) => className !== 'unseen'))
  return all.map(({ textContent }) => textContent)
}

it('[W1] a row shows its title, age, project, branch and cost, and a status only where it says something', async () => {
  const facts = { cwd: '/home/ada/engine', gitBranch: 'fix/it', agent: 'codex', cost: 1, estimatedCost: 0.25 }
  expect(await wordsOf(facts)).toEqual(['A title', '3 h', 'ada/engine', 'fix/it', '~$1.25'])
  expect(await wordsOf(facts, false)).toEqual(['A title', '3 h', 'fix/it', '~$1.25'])
  expect(await wordsOf({})).toEqual(['A title', '3 h', 'ada/engine'])
  expect(await wordsOf({}, false)).toEqual(['A title', '3 h', 'Codex'])
  expect(await wordsOf({ status: 'failed', ended: 'failed', cost: 2, agent: 'codex' })).toEqual([
    'A title',
    '3 h',
    'Failed',
    'ada/engine',
    '$2.00',
  ])
  // The costs of the demo are made up.
  expect(await wordsOf({ cost: 2, agent: 'scripted' })).toEqual(['A title', '3 h', 'ada/engine'])
})

it('[O1] a session that its agent works on in its own terminal says so', async () => {
  expect((await wordsOf({ inTerminal: true })).slice(2)).toEqual(['In its terminal', 'ada/engine'])
  expect((await wordsOf({ inTerminal: false })).slice(2)).toEqual(['ada/engine'])
})

it('[W1] an archived session that waits for approval shows both', async () => {
  const waiting = { status: 'waiting', pending: 1 } as const
  const rest = ['ada/engine']
  expect((await wordsOf({ ...waiting, archived: true })).slice(2)).toEqual([
    'Waiting for approval',
    'Archived',
    ...rest,
  ])
  expect((await wordsOf(waiting)).slice(2)).toEqual(['Waiting for approval', ...rest])
})

it('[W1] a deleted session is marked, and can only be restored', async () => {
  const calls: string[] = []
  const { place } = await render(row({ archived: true, deleted: true }), {
    answer(address) {
      calls.push(new URL(address).pathname)
      return Response.json({ id: 's' })
    },
  })
  expect(place.querySelector('a')?.textContent).toContain('Deleted')
  await pressKey(place.querySelector('a') ?? undefined, 'F2')
  expect(place.querySelector('input')).toBeNull()
  const items = [...document.querySelectorAll<HTMLElement>('[role=menuitem]')]
  expect(items.map(({ textContent }) => textContent)).toEqual(['Restore'])
  // What this browser of tests does not know.
  Object.assign(HTMLElement.prototype, { hidePopover() {} })
  await act(async () => items[0]?.click())
  await wait(10)
  expect(calls).toContain('/api/sessions/s')
  expect(toasts().at(-1)?.text).toBe('“A title” was restored.')
})

it('[W1] a session is pinned to the top and unpinned from its menu', async () => {
  Object.assign(HTMLElement.prototype, { hidePopover() {} })
  const pinned: unknown[] = []
  const pin = vi.spyOn(actions, 'pinSession').mockImplementation((_, id, is) => void pinned.push([id, is]))
  onTestFinished(() => pin.mockRestore())
  for (const is of [false, true]) {
    await render(row({ pinned: is }))
    const items = [...document.querySelectorAll<HTMLElement>('[role=menuitem]')]
    const item = items.find(({ textContent }) => textContent === (is ? 'Unpin' : 'Pin to the top'))
    await act(async () => item?.click())
  }
  expect(pinned).toEqual([
    ['s', true],
    ['s', false],
  ])
})
