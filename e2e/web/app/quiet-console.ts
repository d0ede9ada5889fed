import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { talkedSession } from './made-sessions.ts'
import type { Scenarios } from './scenario.ts'
import { newSession, sendPrompt, transcript, untilIdle } from './steps.ts'
import { walk } from './walk.ts'

function listen(page: Page): readonly string[] {
  const problems: string[] = []
  page.on('console', message => {
    const isTrouble = message.type() === 'warning' || message.type() === 'error'
    if (isTrouble) problems.push(`${message.type()}: ${message.text()}`)
  })
  return problems
}

/** Messages that only a developer sees. */
export const quietConsole: Scenarios = {
  'the browser console stays empty in ordinary use': {
    pace: '0',
    async play(room) {
      const page = await room.open()
      const problems = listen(page)
      const session = await newSession(page)
      await sendPrompt(page, 'markdown')
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
      assert.deepEqual(problems, [])
    },
  },
}
