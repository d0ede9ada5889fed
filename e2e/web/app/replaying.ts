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

/** A session in which much was said, a word every few milliseconds, and its entries. */
async function told(room: Room, every = 10): Promise<readonly [session: string, entries: readonly Entry[]]> {
  const { client } = room
  const text = Array.from({ length: 200 }, (_, at) => `word${at + 1}`).join(' ')
  const session = await scriptedSession(room, [{ type: 'text', text, every }])
  await client.call('prompt', { params: { session }, body: { text: 'Count.' } })
  await untilIdle(room, session)
  const { entries } = await client.call('listEntries', { params: { session }, query: { limit: '10000' } })
  return [session, entries as unknown as readonly Entry[]]
}

/** What the agent had said by an entry. */
function saidBy(entries: readonly Entry[], seq: number): string {
  const messages = foldEntries(createMessages(), entries.slice(0, seq)).get(null) ?? []
  const parts = messages.flatMap(({ message }) => (message.role === 'assistant' ? message.parts : []))
  return squeezed(parts.flatMap(part => (part.type === 'text' ? part.text : [])).join(' '))
}

/** The page shows what was said by an entry, and nothing of what came later. */
async function showsExactly(page: Page, entries: readonly Entry[], seq: number): Promise<void> {
  const said = saidBy(entries, seq)
  const count = said === '' ? 0 : said.split(' ').length
  await page.waitForFunction(
    ([last, next]) => {
      const shown = document.querySelector<HTMLElement>('[role=log]')?.innerText ?? ''
      return (last === '' || new RegExp(`${last}\\b`).test(shown)) && !new RegExp(`${next}\\b`).test(shown)
    },
    [said.split(' ').at(-1) ?? '', `word${count + 1}`] as const,
  )
  assert.ok(squeezed(await transcript(page).innerText()).includes(said), said)
}

/** A session as it was at any moment. */
export const replaying: Scenarios = {
  'a replay shows at any place what was said by then, forwards and backwards, by hand and by keys': {
    async play(room) {
      const [session, entries] = await told(room)
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
  'a replay plays at the speed that is chosen, and stops for a while or at the end': {
    async play(room) {
      // It must not be at its end before somebody on a busy machine can pause it.
      const [session, entries] = await told(room, 30)
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
