import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Step } from '../../../src/agents/scripted/script.ts'
import type { Scenarios } from './scenario.ts'
import { openSession, scriptedSession, words } from './scripted.ts'
import { newSession, sendPrompt, transcript, untilIdle } from './steps.ts'

/** How many colours the text of a piece of code has. */
const coloursOf = (page: Page, line: string) =>
  transcript(page)
    .locator('pre')
    .filter({ hasText: line })
    .first()
    .evaluate(
      code => new Set([...code.querySelectorAll('span')].map(each => getComputedStyle(each).color)).size,
    )

/** The height of the pictures in a conversation when they appear: later growth would move the text around them. */
const watchPictures = (page: Page) =>
  transcript(page).evaluateHandle(log => {
    const heights: number[] = []
    new MutationObserver(() => {
      const pictures = log.querySelectorAll('img[alt^="Diagram"]:not([data-seen])')
      for (const picture of pictures) {
        picture.setAttribute('data-seen', '')
        heights.push(picture.getBoundingClientRect().height)
      }
    }).observe(log, { childList: true, subtree: true })
    return heights
  })

/** How a transcript shows an agent's output. */
export const showing: Scenarios = {
  'Markdown is rendered: highlighted code, a table, maths, and a diagram in its own frame': {
    pace: '0',
    async play(room) {
      const page = await room.open()
      const session = await newSession(page)
      await sendPrompt(page, 'markdown')
      await untilIdle(room, session)
      const shown = transcript(page)
      await shown.getByRole('table').getByRole('cell', { name: '31 s' }).waitFor()
      await shown.locator('math').first().waitFor({ state: 'attached' })
      const diagram = shown.locator('iframe[title=Diagram]')
      await diagram.scrollIntoViewIfNeeded()
      await diagram.contentFrame().locator('svg').getByText('Journal').waitFor()
      assert.equal(
        await page.locator('svg', { hasText: 'Journal' }).count(),
        0,
        'it is drawn in the page itself',
      )
      await shown.getByRole('heading', { name: 'Code, in its colours' }).scrollIntoViewIfNeeded()
      await page.waitForFunction(() => {
        const code = [...document.querySelectorAll('[role=log] pre')].find(each =>
          each.textContent.includes('reduce'),
        )
        return (
          new Set([...(code?.querySelectorAll('span') ?? [])].map(each => getComputedStyle(each).color))
            .size > 3
        )
      })
      assert.ok((await coloursOf(page, 'reduce')) > 3)
    },
  },
  'thinking time is shown after a reload, and counts while the agent thinks': {
    async play(room) {
      const thought = Array.from({ length: 100 }, (_, at) => `thought ${at + 1}`).join(', ')
      const session = await scriptedSession(room, [
        { type: 'thinking', text: thought, every: 45 },
        words('Decided.'),
      ])
      const page = await openSession(room, session)
      await sendPrompt(page, 'think hard')
      const title = transcript(page).getByRole('group', { name: 'Thinking' }).getByRole('button')
      await title.filter({ hasText: /Thinking… [2-9] s/ }).waitFor()
      await page.reload()
      await title.filter({ hasText: /Thinking… [2-9] s/ }).waitFor()
      await transcript(page).getByText('Decided.').waitFor()
      const took = /^Thought for \d+\.\d s\b/
      await title.filter({ hasText: took }).waitFor()
      await page.reload()
      await title.filter({ hasText: took }).waitFor()
      const [saved] = (
        await Promise.all(
          (
            await room.client.call('GET /api/sessions/:session/interactions', { params: { session } })
          ).interactions.map(({ id }) =>
            room.client.call('GET /api/sessions/:session/interactions/:interaction/thinking', {
              params: { session, interaction: id },
            }),
          ),
        )
      ).flatMap(({ thoughts }) => thoughts)
      const ms = (saved?.end?.at ?? 0) - (saved?.start.at ?? 0)
      // The beginning of the thought follows.
      const shown = (await title.innerText()).replaceAll(/\s+/g, ' ')
      assert.ok(shown.startsWith(`Thought for ${(ms / 1000).toFixed(1)} s `), shown)
    },
  },
  'retracted text is gone, live and after a reload, and a compaction is marked': {
    pace: '0',
    async play(room) {
      const page = await room.open()
      const session = await newSession(page)
      await sendPrompt(page, 'a retraction and a compaction')
      await untilIdle(room, session)
      for (const look of ['live', 'after a reload']) {
        await transcript(page).getByText('Canberra').waitFor()
        await transcript(page).getByText('Conversation compacted').click()
        await transcript(page).getByText('It had 184,210 tokens').waitFor()
        assert.equal(await transcript(page).getByText('Sydney').count(), 0, look)
        await page.reload()
      }
    },
  },
  'a diagram that was scrolled away is not drawn again when it is scrolled back': {
    pace: '0',
    async play(room) {
      const fence = '```'
      const drawing: Step = words(`${fence}mermaid\nflowchart LR\n  A[Alpha] --> B[Omega]\n${fence}`)
      const much = Array.from({ length: 60 }, (_, at) =>
        words(`Paragraph ${at + 1}.\n\nAnd its second half.`),
      )
      const session = await scriptedSession(room, [drawing, ...much])
      const page = await openSession(room, session)
      await sendPrompt(page, 'draw it')
      await untilIdle(room, session)
      await transcript(page).getByText('Paragraph 60.').waitFor()
      const frame = transcript(page).locator('iframe[title=Diagram]')
      // By the wheel, so that following the end cannot scroll back.
      const toTheTop = async () => {
        await transcript(page).hover()
        await page.mouse.wheel(0, -100_000)
      }
      await toTheTop()
      await frame.contentFrame().getByText('Omega').waitFor()
      await page.getByRole('button', { name: 'Jump to latest' }).click()
      await frame.waitFor({ state: 'detached' })
      const heights = await watchPictures(page)
      await toTheTop()
      const picture = transcript(page).getByRole('img', { name: 'Diagram: Alpha, Omega' })
      await picture.waitFor()
      const { width, height } = (await picture.boundingBox()) ?? { width: 0, height: 0 }
      assert.ok(width > 100 && height > 30, `it is ${width} × ${height}`)
      assert.deepEqual(await heights.jsonValue(), [height], 'it had another height when it appeared')
      assert.equal(await frame.count(), 0)
    },
  },
}
