import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { createAxeLooks } from './accessible.ts'
import { isInView, talkOf, until } from './looking.ts'
import { longSession } from './made-sessions.ts'
import type { Scenarios } from './scenario.ts'
import { transcript, untilFocused, untilIdle } from './steps.ts'

/** Search over all conversations. */
export const finding: Scenarios = {
  'the search field finds a message in any session, and the link opens it': {
    async play(room) {
      const session = await talkOf(room, 'Where is the platypus?', 'a long answer', 'Thank you')
      await untilIdle(room, session, 90_000)
      const page = await room.open()
      const field = page.getByRole('searchbox', { name: 'Search' })
      const results = page.getByRole('region', { name: 'Search results' })
      const link = results.getByRole('link').filter({ hasText: 'Where is the platypus?' })
      await field.fill('platyp')
      await link.first().waitFor()
      assert.equal(await link.first().locator('mark').innerText(), 'platyp')
      const axe = createAxeLooks(page)
      await axe.look('search results')
      await link.first().click()
      await page.waitForURL(({ pathname }) => pathname.startsWith(`/s/${session}/m/`))
      await until('the message is in view', () => isInView(page, 'Where is the platypus?'))
      const bar = page.getByRole('search', { name: 'Find in this session' })
      assert.equal(await bar.getByRole('textbox').inputValue(), 'platyp')
      await until('the word is marked', async () => (await marked(page)).includes('platyp'))
      await axe.look('a hit in a session')
      await page.getByRole('button', { name: 'Branch from here' }).first().click()
      await page.waitForURL(({ pathname }) => !pathname.startsWith(`/s/${session}`))
      await page.goBack()
      axe.finish()
      await field.fill('"platypus')
      await results.getByText('Add it at the end of the exact text.').waitFor()
    },
  },
  'Ctrl+F finds in all messages of a session, and Escape keeps the place': {
    async play(room) {
      const session = await longSession(room, 1200)
      const page = await room.open(`/s/${session}`)
      await transcript(page).getByText('Message 1199.').waitFor()
      await page.keyboard.press('Control+f')
      const bar = page.getByRole('search', { name: 'Find in this session' })
      const field = bar.getByRole('textbox')
      await untilFocused(field)
      await until('the session is indexed', async () => {
        await field.fill('')
        await field.fill('"Message 17."')
        return await bar
          .getByText('1 of 1')
          .waitFor({ timeout: 2000 })
          .then(
            () => true,
            () => false,
          )
      })
      await until('the message is in view', () => isInView(page, 'Message 17.'))
      assert.deepEqual(await marked(page), ['message 17.'])
      await field.fill('"Message 11"')
      await bar.getByText(' of 111').waitFor()
      const status = bar.getByRole('status')
      const first = await status.innerText()
      await page.keyboard.press('Enter')
      await until('the next place is shown', async () => (await status.innerText()) !== first)
      await page.keyboard.press('Shift+Enter')
      await until('it goes back', async () => (await status.innerText()) === first)
      await field.fill('/(Message 17/')
      await bar.getByText('is not valid').waitFor()
      await field.fill('"Message 17."')
      await bar.getByText('1 of 1').waitFor()
      await until('the message is in view again', () => isInView(page, 'Message 17.'))
      await page.keyboard.press('Escape')
      await bar.waitFor({ state: 'detached' })
      await untilFocused(transcript(page))
      assert.ok(await isInView(page, 'Message 17.'))
      assert.deepEqual(await marked(page), [])
    },
  },
  'without the server, the loaded messages are searched': {
    async play(room) {
      const session = await talkOf(room, 'Where is the platypus?')
      await untilIdle(room, session, 90_000)
      const page = await room.open(`/s/${session}`)
      await transcript(page).getByText('Where is the platypus?').first().waitFor()
      await room.kill()
      await page.getByText('Can’t reach the server').first().waitFor()
      await page.keyboard.press('Control+f')
      const bar = page.getByRole('search', { name: 'Find in this session' })
      await bar.getByRole('textbox').fill('platyp')
      await bar.getByText('Only the messages loaded here were searched.').waitFor()
      assert.match(await bar.getByRole('status').innerText(), /^\d of \d$/)
      await bar.getByRole('textbox').fill('/platyp/')
      await bar.getByText('Patterns and filters need it.').waitFor()
      await room.start()
    },
  },
}

/** The words that are marked as found. */
const marked = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...CSS.highlights.values()].flatMap(marks =>
      [...(marks as unknown as Iterable<Range>)].map(range => String(range).toLowerCase()),
    ),
  )
