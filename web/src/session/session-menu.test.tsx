// @vitest-environment jsdom
import { expect, it, onTestFinished, vi } from 'vitest'
import { act } from 'react'
import { offer, offered } from '../keyboard/command.ts'
import { keyed } from '../keyboard/key-table.ts'
import { listenForKeys } from '../keyboard/key-listener.ts'
import { fakeSession } from '../composer/fake-session.fixture.ts'
import { pressKey, render } from '../composer/render.fixture.tsx'
import { listed } from '../session-summary/listed.fixture.ts'
import { SessionRow } from '../sessions/session-row.tsx'
import { facesAfter } from '../session-summary/session-face.ts'
import { SessionMenu } from './session-menu.tsx'

async function open() {
  const onRename = vi.fn<() => void>()
  onTestFinished(listenForKeys())
  const facts = { ...listed(), options: null, trouble: null }
  const [face] = facesAfter([], [listed({ id: 'other', title: 'Other' })])
  const page = await render(
    <>
      <SessionMenu session={fakeSession().session} facts={facts} onRename={onRename} />
      <textarea aria-label="Message" />
      {face && <SessionRow face={face} agent="Scripted agent" age="3 h" isHere={false} isStop hasProject />}
    </>,
  )
  return { ...page, onRename }
}

it('[W7] F2 renames the open session from anywhere but a text field, and is in the list of shortcuts', async () => {
  const { onRename, field } = await open()
  expect(offered().find(({ keys }) => keys === 'f2')?.title).toBe('Rename')
  await pressKey(document.body, 'F2')
  expect(onRename).toHaveBeenCalledOnce()
  await pressKey(field('Message'), 'F2')
  expect(onRename).toHaveBeenCalledOnce()
})

it('[W1] F2 on a row of the list renames that session, and not the open one', async () => {
  const { onRename, place, field } = await open()
  await pressKey(place.querySelector<HTMLElement>('a[data-session=other]') ?? undefined, 'F2')
  expect(field('Session name')?.value).toBe('Other')
  expect(onRename).not.toHaveBeenCalled()
})

it('[J15] the menu opens the find bar of the transcript, and the palette lists it once', async () => {
  const { place } = await open()
  const run = vi.fn<() => void>()
  onTestFinished(offer([{ ...keyed('find'), run }]))
  const items = [...place.querySelectorAll<HTMLElement>('[role=menuitem]')]
  HTMLElement.prototype.hidePopover = () => {}
  await act(async () => items.find(({ textContent }) => textContent === 'Find in this session')?.click())
  expect(run).toHaveBeenCalledOnce()
  expect(offered().filter(({ title }) => title === 'Find in this session')).toHaveLength(1)
})
