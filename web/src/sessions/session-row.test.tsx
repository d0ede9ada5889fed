// @vitest-environment jsdom
import { act } from 'react'
import { expect, it } from 'vitest'
import { pressKey, render, wait } from '../composer/render.fixture.tsx'
import { toasts } from '../ui/toast.ts'
import { listed } from '../session-summary/listed.fixture.ts'
import { faceOf } from '../session-summary/session-face.ts'
import { SessionRow } from './session-row.tsx'

async function wordsOf(given: Parameters<typeof listed>[0]): Promise<string> {
  const { place } = await render(<SessionRow face={faceOf(listed(given))} agent="Codex" isHere={false} />)
  return place.querySelector('a')?.textContent ?? ''
}

it('[W1] an archived session that waits for approval shows both', async () => {
  const waiting = { status: 'waiting', pending: 1 } as const
  expect(await wordsOf({ ...waiting, archived: true })).toBe(
    'A titleWaiting for approval · Archived · Codex · engine',
  )
  expect(await wordsOf(waiting)).toBe('A titleWaiting for approval · Codex · engine')
})

it('[W1] a deleted session is marked, and can only be restored', async () => {
  const calls: string[] = []
  const { place } = await render(
    <SessionRow face={faceOf(listed({ archived: true, deleted: true }))} agent="Codex" isHere={false} />,
    {
      answer(address) {
        calls.push(new URL(address).pathname)
        return Response.json({ id: 's' })
      },
    },
  )
  expect(place.querySelector('a')?.textContent).toBe('A titleDone, Deleted · Codex · engine')
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
