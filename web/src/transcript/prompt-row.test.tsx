// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Message } from 'dragoman'
import type { Client } from 'dragoman/client'
import { createWritable } from 'dragoman/client/readable'
import { fakeSession } from '../composer/fake-session.fixture.ts'
import { pressKey, render, type, wait } from '../composer/render.fixture.tsx'
import { PromptRow } from './prompt-row.tsx'
import { RowSettingContext, type RowSetting } from './row-setting.ts'
import type { RowOf } from './row.ts'
import type { TranscriptRoom } from './transcript-room.ts'

afterEach(() => {
  localStorage.clear()
  vi.unstubAllGlobals()
})

const message: Message = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'First prompt' }] }
const row = { kind: 'prompt', key: 'm1', of: message, at: null, thread: null } as unknown as RowOf<'prompt'>

/** The row of a prompt on a newly opened page; without a server when it is frozen. */
async function open(id: string, { isFrozen = false } = {}) {
  const fake = fakeSession(id)
  fake.set('messages', [{ ...message, id: 'm0' }, message])
  const { session } = fake
  const setting = {
    live: isFrozen ? null : { client: {} as Client, session, room: {} as TranscriptRoom },
    onInspect: null,
    unfolded: new Map(),
    lit: createWritable(null),
  } as unknown as RowSetting
  const page = await render(
    <RowSettingContext value={setting}>
      <PromptRow row={row} />
    </RowSettingContext>,
  )
  return { ...fake, ...page, editor: () => page.field('Edit the message') }
}

describe('the prompt editor', () => {
  it('[W3] restores the draft after a reload without taking the focus', async () => {
    const first = await open('reload')
    await first.press('Edit')
    expect(document.activeElement).toBe(first.editor())
    await type(first.editor(), 'Another prompt')
    await first.unmount()
    const second = await open('reload')
    expect(second.editor()?.value).toBe('Another prompt')
    expect(document.activeElement).toBe(document.body)
    expect((await open('another session')).editor()).toBeUndefined()
    expect((await open('reload', { isFrozen: true })).editor()).toBeUndefined()
  })

  it('[W3] does not send from here while the agent is running, and explains why', async () => {
    const { press, set, editor, asked, place } = await open('busy')
    await press('Edit')
    await type(editor(), 'Another prompt')
    set('status', {
      status: 'running',
      running: { interaction: 'i', since: 0, waiting: false },
      ended: null,
      pending: [],
    })
    await wait(1)
    expect(place.textContent).toContain('once the agent has finished or you stopped it')
    await press('Send from here')
    await pressKey(editor(), 'Enter', { ctrlKey: true })
    expect(asked).toEqual([])
  })

  it.each(['Cancel', 'Escape', 'Send from here', 'as it was'])(
    '[W3] deletes the draft after: %s',
    async how => {
      const { press, editor, unmount, asked } = await open('over')
      await press('Edit')
      await type(editor(), 'Another prompt')
      if (how === 'Escape') await pressKey(editor(), 'Escape')
      else if (how === 'as it was') await type(editor(), 'First prompt')
      else await press(how)
      await wait(10)
      await unmount()
      expect((await open('over')).editor()).toBeUndefined()
      expect(localStorage).toHaveLength(0)
      expect(asked).toHaveLength(how === 'Send from here' ? 1 : 0)
    },
  )

  it('[W3] keeps the draft when sending fails', async () => {
    const { press, editor, set, place, unmount } = await open('refused')
    await press('Edit')
    await type(editor(), 'Another prompt')
    set('messages', [])
    await press('Send from here')
    await wait(10)
    expect(place.textContent).toContain('was removed from the conversation')
    await unmount()
    expect((await open('refused')).editor()?.value).toBe('Another prompt')
  })

  it('[W3] reports that the browser has no space for the draft', async () => {
    const { press, editor, place } = await open('full')
    await press('Edit')
    await type(editor(), 'x'.repeat(100_001))
    expect(place.querySelector('[role=alert]')?.textContent).toMatch(/lost when you close the page/)
    await press('Cancel')
    expect(editor()).toBeUndefined()
  })
})
