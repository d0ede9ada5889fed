import assert from 'node:assert/strict'
import { createAxeLooks } from './accessible.ts'
import { isInView, talkOf, until } from './looking.ts'
import type { Scenarios } from './scenario.ts'
import { untilIdle } from './steps.ts'

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
      axe.finish()
      await link.first().click()
      await page.waitForURL(({ pathname }) => pathname.startsWith(`/s/${session}/m/`))
      await until('the message is in view', () => isInView(page, 'Where is the platypus?'))
      await field.fill('"platypus')
      await results.getByText('Add it at the end of the exact text.').waitFor()
    },
  },
}
