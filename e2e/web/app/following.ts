import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { shownTalk, tall, untilSame } from './looking.ts'
import type { Scenarios } from './scenario.ts'
import { messageBox, newSession, sendPrompt, transcript, untilFocused, untilIdle } from './steps.ts'

const stop = (page: Page) => page.getByRole('button', { name: 'Stop' })

/** Notes every state in which the answer was shown, in a list that the page has. */
const watchAnswer = (page: Page) =>
  page.evaluate(() => {
    const seen = new Set<string>()
    Object.assign(window, { seen })
    new MutationObserver(() => {
      const items = document.querySelectorAll('[role=log] li')
      seen.add([...items].map(item => item.textContent).join(' '))
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  })

/** For 150 frames: how often the conversation moved, and in how many frames a pointer missed its last text. */
async function missedRows(): Promise<{ readonly moved: number; readonly missed: number }> {
  const log = document.querySelector('[role=log]') as HTMLElement
  let moved = 0
  let missed = 0
  let top = log.scrollTop
  for (let frame = 0; frame < 150; frame += 1) {
    await new Promise(resolve => requestAnimationFrame(resolve))
    if (log.scrollTop !== top) moved += 1
    top = log.scrollTop
    const { left, width, bottom } = log.getBoundingClientRect()
    if (document.elementFromPoint(left + width / 2, bottom - 80) === log) missed += 1
  }
  return { moved, missed }
}

/** Following an agent's output in one tab or two. */
export const following: Scenarios = {
  'a new user sees the start page, starts the demo, which runs to its end with one approval, and follows the tour':
    {
      pace: '0',
      async play(room) {
        const page = await room.open()
        await page.getByRole('heading', { name: 'Dragoman', level: 1 }).waitFor()
        await page.getByRole('heading', { name: 'Agents on this machine' }).waitFor()
        await page.getByRole('button', { name: 'Start the demo' }).click()
        const step = (name: string) => page.getByRole('region', { name })
        await page.getByRole('button', { name: 'Allow', exact: true, disabled: false }).click()
        await transcript(page).getByText('That was the demo.').waitFor()
        await step('A demo of one minute').getByRole('button', { name: 'Take the full tour' }).click()
        await step('Streaming').waitFor()
        await transcript(page).getByRole('heading', { name: 'Markdown', exact: true }).waitFor()
        await step('Streaming').getByRole('button', { name: 'Next' }).click()
        await transcript(page).getByText('I thought for a moment').waitFor()
        await page.reload()
        await step('Thinking').getByRole('button', { name: 'End the tour' }).click()
        await step('Thinking').waitFor({ state: 'detached' })
        await untilFocused(messageBox(page))
        await page.getByRole('button', { name: 'Resume the tour' }).click()
        await step('Thinking').waitFor()
        await page.waitForFunction(() => document.activeElement !== document.body)
        assert.deepEqual(
          (await shownTalk(page)).asked.filter(words => words === 'Show me thinking'),
          ['Show me thinking'],
        )
      },
    },
  'text is shown while it streams, not only at the end': {
    pace: '0.5',
    async play(room) {
      const page = await room.open('/', tall)
      const session = await newSession(page)
      await watchAnswer(page)
      await sendPrompt(page, 'a long answer')
      await untilIdle(room, session)
      await untilSame(room, session, page)
      const states = await page.evaluate(() => (window as unknown as { seen: Set<string> }).seen.size)
      assert.ok(states > 10, `the answer was drawn in only ${states} steps`)
    },
  },
  'buttons can be pressed while text streams and the end is followed': {
    pace: '0.5',
    async play(room) {
      const page = await room.open('/', { viewport: { width: 900, height: 480 } })
      await newSession(page)
      await sendPrompt(page, 'a long answer')
      await page.waitForFunction(() => (document.querySelector('[role=log]')?.scrollTop ?? 0) > 100)
      const missed = await page.evaluate(missedRows)
      assert.deepEqual({ ...missed, moved: missed.moved > 3 }, { moved: true, missed: 0 })
    },
  },
  'a reload in the middle of an answer continues live, and ends as in another tab': {
    async play(room) {
      const page = await room.open('/', tall)
      const session = await newSession(page)
      await sendPrompt(page, 'a long answer')
      const other = await room.open(`/s/${session}`, tall)
      await transcript(other).getByRole('listitem').first().waitFor()
      await page.reload()
      await stop(page).waitFor()
      const before = (await shownTalk(page)).answers.length
      await stop(page).waitFor({ state: 'detached' })
      await untilIdle(room, session)
      await untilSame(room, session, page, other)
      assert.ok(before < (await shownTalk(page)).answers.length, 'no text arrived after the reload')
      assert.equal(await transcript(page).innerText(), await transcript(other).innerText())
    },
  },
  'a second tab is live in both directions': {
    pace: '0',
    async play(room) {
      const page = await room.open('/', tall)
      const session = await newSession(page)
      const other = await room.open(`/s/${session}`, tall)
      await sendPrompt(page, 'a hang')
      await transcript(other).getByText('I wait until you stop me').waitFor()
      await messageBox(other).fill('a draft of the other tab')
      await stop(other).click()
      await transcript(page).getByText('You stopped this.').waitFor()
      await stop(page).waitFor({ state: 'detached' })
      assert.equal(await messageBox(page).inputValue(), '')
      await messageBox(other).fill('from the other tab')
      await messageBox(other).press('Enter')
      await transcript(page).getByText('I understood “from the other tab”').waitFor()
      await untilIdle(room, session)
      await untilSame(room, session, page, other)
    },
  },
  'a running turn is stopped, also after a reload, and the session continues': {
    pace: '0',
    async play(room) {
      const page = await room.open('/', tall)
      const session = await newSession(page)
      for (const reload of [false, true]) {
        await sendPrompt(page, reload ? 'a hang once more' : 'a hang')
        await stop(page).waitFor()
        if (reload) await page.reload()
        await stop(page).click()
        await page.getByRole('status').getByText('Stopped.').waitFor()
        await stop(page).waitFor({ state: 'detached' })
        await untilIdle(room, session)
      }
      await sendPrompt(page, 'and now?')
      await transcript(page).getByText('I understood “and now?”').waitFor()
      const { interactions } = await room.client.call('GET /api/sessions/:session/interactions', {
        params: { session },
      })
      const outcomes = interactions.map(({ outcome }) => outcome).filter(outcome => outcome === 'interrupted')
      assert.equal(outcomes.length, 2)
    },
  },
}
