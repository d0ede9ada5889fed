import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { talkedSession } from './made-sessions.ts'
import type { Scenarios } from './scenario.ts'
import { newSession, say, transcript, untilIdle } from './steps.ts'
import { walk } from './walk.ts'

function listen(page: Page): readonly string[] {
  const said: string[] = []
  page.on('console', message => {
    const isTrouble = message.type() === 'warning' || message.type() === 'error'
    if (isTrouble) said.push(`${message.type()}: ${message.text()}`)
  })
  return said
}

/** What a person never sees, and a developer sees at once. */
export const quietConsole: Scenarios = {
  'in ordinary use the console of the browser has nothing to tell': {
    pace: '0',
    async play(room) {
      const page = await room.open()
      const said = listen(page)
      const session = await newSession(page)
      await say(page, 'markdown')
      await untilIdle(room, session)
      await transcript(page).locator('iframe[title=Diagram]').contentFrame().getByText('Journal').waitFor()
      const all = await talkedSession(room, 'everything', 'All of it')
      await page.getByRole('link', { name: /All of it/ }).click()
      await transcript(page).getByText('That was everything.').waitFor()
      await walk(page, '[role=log]')
      for (const [key, name] of Object.entries({ l: 'Work log', x: 'Context', r: 'Inspector' })) {
        await page.locator('body').press(key)
        await page.getByRole('tab', { name, selected: true }).waitFor()
        await page.getByRole('tabpanel').getByRole('button').first().waitFor()
      }
      for (const path of ['/dashboard', '/approvals', `/s/${all}/replay`, '/']) {
        await page.goto(`${room.server.url}${path}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await page.waitForLoadState('networkidle')
      }
      assert.deepEqual(said, [])
    },
  },
}
