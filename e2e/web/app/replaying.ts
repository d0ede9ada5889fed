import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { foldEntries } from '../../../src/projections/fold.ts'
import { createMessages } from '../../../src/projections/messages.ts'
import type { Entry } from '../../../src/protocol/entry.ts'
import type { Room } from './room.ts'
import type { Scenarios } from './scenario.ts'
import { scriptedSession } from './scripted.ts'
import { transcript, untilIdle } from './steps.ts'

const place = (page: Page) => page.getByRole('slider', { name: 'Position in the session' })
const squeezed = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** A session with a long answer, one word every few milliseconds, and its entries. */
async function longSession(
  room: Room,
  every = 10,
): Promise<readonly [session: string, entries: readonly Entry[]]> {
  const { client } = room
  const text = Array.from({ length: 200 }, (_, at) => `word${at + 1}`).join(' ')
  const session = await scriptedSession(room, [{ type: 'text', text, every }])
  await client.call('prompt', { params: { session }, body: { text: 'Count.' } })
  await untilIdle(room, session)
  const { entries } = await client.call('listEntries', { params: { session }, query: { limit: '10000' } })
  return [session, entries as unknown as readonly Entry[]]
}

/** The agent's text up to an entry. */
function textUpTo(entries: readonly Entry[], seq: number): string {
  const messages = foldEntries(createMessages(), entries.slice(0, seq)).get(null) ?? []
  const parts = messages.flatMap(({ message }) => (message.role === 'assistant' ? message.parts : []))
  return squeezed(parts.flatMap(part => (part.type === 'text' ? part.text : [])).join(' '))
}

/** The page shows the text up to an entry, and nothing after it. */
async function showsExactly(page: Page, entries: readonly Entry[], seq: number): Promise<void> {
  const text = textUpTo(entries, seq)
  const count = text === '' ? 0 : text.split(' ').length
  await page.waitForFunction(
    ([last, next]) => {
      const shown = document.querySelector<HTMLElement>('[role=log]')?.innerText ?? ''
      return (last === '' || new RegExp(`${last}\\b`).test(shown)) && !new RegExp(`${next}\\b`).test(shown)
    },
    [text.split(' ').at(-1) ?? '', `word${count + 1}`] as const,
  )
  assert.ok(squeezed(await transcript(page).innerText()).includes(text), text)
}

/** A session as it was at any moment. */
export const replaying: Scenarios = {
  'a replay shows the text up to any position, forwards and backwards, by mouse and by keys': {
    async play(room) {
      const [session, entries] = await longSession(room)
      const page = await room.open(`/s/${session}/replay`)
      await page.getByText(`of ${entries.length}`).waitFor()
      await transcript(page).getByText('Count.').waitFor()
      for (const seq of [60, entries.length, 30, 100]) {
        await place(page).fill(String(seq))
        await showsExactly(page, entries, seq)
      }
      await place(page).blur()
      await page.keyboard.press('ArrowRight')
      await showsExactly(page, entries, 101)
      await page.getByRole('button', { name: 'Previous entry' }).click()
      await showsExactly(page, entries, 100)
      await page.getByRole('button', { name: 'Previous marker' }).click()
      await page.waitForFunction(
        () => Number(document.querySelector<HTMLInputElement>('input[type=range]')?.value) < 10,
      )
    },
  },
  'a replay plays at the chosen speed, pauses, and stops at the end': {
    async play(room) {
      // It must not end before a busy machine can pause it.
      const [session, entries] = await longSession(room, 30)
      const page = await room.open(`/s/${session}/replay`)
      await transcript(page).getByText('Count.').waitFor()
      await page.getByRole('combobox', { name: 'Speed' }).selectOption('0.5')
      await page.locator('body').press('Space')
      await page.getByRole('button', { name: 'Pause' }).waitFor()
      await transcript(page).getByText('word1').first().waitFor()
      await page.getByRole('button', { name: 'Pause' }).click()
      const at = await place(page).inputValue()
      await page.getByRole('combobox', { name: 'Speed' }).selectOption('16')
      assert.equal(await place(page).inputValue(), at)
      assert.ok(Number(at) < entries.length)
      await page.getByRole('button', { name: 'Play' }).click()
      await transcript(page).getByText('word200').waitFor()
      await page.getByRole('button', { name: 'Play' }).waitFor()
      assert.equal(await place(page).inputValue(), String(entries.length))
    },
  },
}
