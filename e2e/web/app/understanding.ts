import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import type { Step } from '../../../src/agents/scripted/script.ts'
import type { Scenarios } from './scenario.ts'
import { askToRun, openSession, scriptedSession, words } from './scripted.ts'
import { dock, messageBox, sendPrompt, transcript, untilIdle } from './steps.ts'

const beside = (page: Page): Locator => page.getByRole('complementary', { name: 'Details' })
const inspector = (page: Page): Locator => page.getByRole('region', { name: 'Inspector' })
const lines = (page: Page): Locator =>
  inspector(page).getByRole('region', { name: 'Native lines and chunks' })
/** The entry that is shown in full. */
const entry = (page: Page): Locator => inspector(page).getByRole('region', { name: /^Entry \d+$/ })

const read: Step = {
  type: 'tools',
  calls: [{ tool: 'Read', input: { path: 'README.md' }, output: '# A small project' }],
}

/** A subagent that starts another, and asks for approval in between, so that both are running for a while. */
const nested: Step = {
  type: 'subagent',
  agent: 'explorer',
  description: 'Find the tests',
  steps: [
    words('I look around.'),
    {
      type: 'subagent',
      agent: 'counter',
      description: 'Count the tests',
      steps: [words('I begin to count.'), askToRun('wc -l tests'), words('There are 42.')],
    },
    words('I found all of them.'),
  ],
}

/** Looking into what an agent did. */
export const understanding: Scenarios = {
  'the inspector continues by itself after the network was lost': {
    pace: '0',
    async play(room) {
      const session = await scriptedSession(room, [words('Well.')])
      const page = await openSession(room, session)
      await sendPrompt(page, 'go on')
      await transcript(page).getByText('Well.').waitFor()
      await untilIdle(room, session)
      // The first is that of the prompt.
      await transcript(page).getByRole('button', { name: 'Raw' }).nth(1).click()
      await lines(page).getByText('text-delta').first().waitFor()
      await page.context().setOffline(true)
      await page.getByRole('tab', { name: 'Context' }).click()
      await page.getByRole('tab', { name: 'Inspector' }).click()
      await inspector(page).getByText('Couldn’t load native lines: ').waitFor()
      await page.context().setOffline(false)
      await lines(page).getByText('text-delta').first().waitFor()
      await inspector(page).getByText('Couldn’t load native lines').waitFor({ state: 'detached' })
    },
  },
  'subagents are shown live, nested, can be collapsed, and are there after a reload': {
    pace: '0',
    async play(room) {
      const session = await scriptedSession(room, [nested, words('They are back.')])
      const page = await openSession(room, session)
      const head = (name: string) => transcript(page).getByRole('button', { name, exact: true })
      const [outer, inner] = [head('explorer Find the tests'), head('counter Count the tests')]
      await sendPrompt(page, 'how many?')
      await transcript(page).getByText('I begin to count.').waitFor()
      await transcript(page).getByText('I look around.').waitFor()
      for (const each of [outer, inner])
        await each.locator('..').getByText('Running', { exact: true }).waitFor()
      await page.getByText('(a subagent)').waitFor()
      await dock(page)
        .getByRole('button', { name: /^Allow/ })
        .click()
      await transcript(page).getByText('They are back.').waitFor()
      await transcript(page).getByText('There are 42.').waitFor()
      for (const each of [outer, inner])
        await each
          .locator('..')
          .getByText(/^\$0\.\d+$/)
          .waitFor()
      await outer.click()
      await inner.waitFor({ state: 'detached' })
      await page.reload()
      assert.equal(await outer.getAttribute('aria-expanded'), 'false')
      await outer.click()
      await transcript(page).getByText('I found all of them.').waitFor()
      await inner.click()
      await transcript(page).getByText('There are 42.').waitFor()
    },
  },
  'the raw lines of a message are shown beside their chunks: hovered, pinned, copied, and jumped to': {
    pace: '0',
    async play(room) {
      const { client } = room
      const session = await scriptedSession(room, [words('I have read it.')])
      const page = await openSession(room, session, { permissions: ['clipboard-read', 'clipboard-write'] })
      await sendPrompt(page, 'read it')
      await untilIdle(room, session)
      await transcript(page).getByRole('button', { name: 'Raw' }).nth(1).click()
      await entry(page).getByText('pinned').waitFor()
      const first = await entry(page).getAttribute('aria-label')
      const line = lines(page)
        .getByRole('button', { name: /^text-delta/ })
        .first()
      await line.hover()
      await entry(page).getByText('preview').waitFor()
      await entry(page).getByRole('group', { name: 'Chunks' }).getByText('text-delta').first().waitFor()
      await page.mouse.move(0, 0)
      await inspector(page)
        .getByRole('region', { name: first ?? '' })
        .waitFor()
      await line.click()
      await page.mouse.move(0, 0)
      await entry(page).getByText('pinned').waitFor()
      const seq = /\d+/.exec((await entry(page).getAttribute('aria-label')) ?? '')?.[0] ?? ''
      await entry(page).getByRole('button', { name: 'Copy line' }).click()
      const raw = await (
        await client.request('GET /api/sessions/:session/entries/:seq/raw', { params: { session, seq } })
      ).text()
      await entry(page).getByText('Copied').first().waitFor()
      assert.equal((await page.evaluate(() => navigator.clipboard.readText())).trim(), raw.trim())
      await inspector(page).getByRole('spinbutton', { name: 'Go to entry' }).fill('1')
      await page.keyboard.press('Enter')
      await inspector(page)
        .getByRole('region', { name: 'Entry 1', exact: true })
        .getByText('session-created')
        .first()
        .waitFor()
      await inspector(page).locator('summary').first().click()
      const { agentSession } = await client.call('getSession', { params: { session } })
      for (const id of [session, agentSession ?? 'none'])
        await inspector(page).getByText(id, { exact: true }).first().waitFor()
    },
  },
  'the raw lines of a tool call belong to that call only': {
    pace: '0',
    async play(room) {
      const session = await scriptedSession(room, [
        words('First some words.'),
        read,
        words('I have read it.'),
      ])
      const page = await openSession(room, session)
      await sendPrompt(page, 'read it')
      await untilIdle(room, session)
      await transcript(page)
        .getByRole('button', { name: /README\.md/ })
        .click()
      await transcript(page).getByRole('button', { name: 'Raw' }).first().waitFor()
      await transcript(page)
        .locator('button[aria-expanded=true] ~ *')
        .getByRole('button', { name: 'Raw' })
        .first()
        .click()
      await entry(page).waitFor()
      for (const type of ['tool-input-start', 'tool-input-available', 'tool-output-available'])
        await lines(page).getByText(type).first().waitFor()
      const shown = await lines(page).innerText()
      assert.ok(!shown.includes('text-delta'), shown)
      await inspector(page).getByRole('combobox', { name: 'Lines to show' }).selectOption('all')
      await lines(page).getByText('text-delta').first().waitFor()
    },
  },
  'the work log has a line for each call, filtered by outcome, with links to its message and raw lines': {
    pace: '0',
    async play(room) {
      const failing: Step = {
        type: 'tools',
        calls: [{ tool: 'Bash', input: { command: 'npm test' }, error: 'No tests.' }],
      }
      const session = await scriptedSession(room, [read, failing, words('That was all.')])
      const page = await openSession(room, session)
      await sendPrompt(page, 'test it')
      await untilIdle(room, session)
      await page.getByRole('button', { name: 'Work log, context and inspector' }).click()
      const log = page.getByRole('region', { name: 'Work log' })
      const row = (name: RegExp) => log.getByRole('button', { name })
      await row(/README\.md/).waitFor()
      await log.getByRole('combobox', { name: 'Outcome' }).selectOption('failure')
      await row(/README\.md/).waitFor({ state: 'detached' })
      await row(/npm test.*Failed/).click()
      await log.getByRole('link', { name: 'Show in transcript' }).click()
      await page.waitForURL(/\/m\//)
      await log.getByRole('button', { name: 'Raw' }).click()
      await beside(page).getByRole('tab', { name: 'Inspector', selected: true }).waitFor()
      await lines(page).getByText('tool-output-error').first().waitFor()
      await messageBox(page).waitFor()
    },
  },
}
