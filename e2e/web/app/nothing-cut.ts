import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import type { Step } from '../../../src/agents/scripted/script.ts'
import { askingSession, talkedSession } from './made-sessions.ts'
import { phone } from './phone.ts'
import type { Scenarios } from './scenario.ts'
import { openSession, scriptedSession, words } from './scripted.ts'
import { dock, messageBox, transcript, untilIdle } from './steps.ts'

const smallPhone = { ...phone, viewport: { width: 360, height: 640 } } as const

/** How much of a thing is out of sight; that it can be scrolled must show. */
async function beyond(thing: Locator): Promise<number> {
  const { more, sign } = await thing.evaluate(box => ({
    more: Math.max(box.scrollWidth - box.clientWidth, box.scrollHeight - box.clientHeight),
    sign: getComputedStyle(box).backgroundAttachment,
  }))
  assert.ok(
    more <= 0 || sign === 'local, local, scroll, scroll',
    `${String(thing)} is cut, and nothing says so`,
  )
  return more
}

async function assertWithin(thing: Locator, place: Locator): Promise<void> {
  const [inner, outer] = [await thing.boundingBox(), await place.boundingBox()]
  assert.ok(inner !== null && outer !== null, `${String(thing)} is not there`)
  const isWithin = inner.x >= outer.x && inner.x + inner.width <= outer.x + outer.width + 0.5
  assert.ok(isWithin, `${String(thing)} is cut: ${JSON.stringify([inner, outer])}`)
}

/** The visible fields whose placeholder is cut off. */
const cutPlaceholders = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const pencil = document.createElement('canvas').getContext('2d')
    const isCut = (field: HTMLInputElement | HTMLTextAreaElement) => {
      if (field instanceof HTMLTextAreaElement) return field.scrollHeight > field.clientHeight
      const { font, paddingLeft, paddingRight } = getComputedStyle(field)
      if (pencil !== null) pencil.font = font
      const room = field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)
      return (pencil?.measureText(field.placeholder).width ?? 0) > room
    }
    return [...document.querySelectorAll<HTMLInputElement>(':placeholder-shown')]
      .filter(field => field.checkVisibility() && isCut(field))
      .map(({ placeholder }) => placeholder)
  })

const fence = '```'
const wideDrawing = words(
  `${fence}mermaid\nflowchart LR\n  Alpha --> Beta --> Gamma --> Delta --> Epsilon --> Omega\n${fence}`,
)
const much = Array.from({ length: 60 }, (_, at) => words(`Paragraph ${at + 1}.\n\nAnd its second half.`))

/** Content that is too wide or too long for a phone is marked as such. */
export const nothingCut: Scenarios = {
  'a phone shows all tabs of the context panel, whichever is chosen': {
    pace: '0',
    async play(room) {
      const session = await talkedSession(room, 'reading twice', 'Read twice')
      for (const options of [phone, smallPhone]) {
        const page = await openSession(room, session, options)
        await page.getByRole('button', { name: 'Work log, context and inspector' }).tap()
        const panel = page.getByRole('dialog', { name: 'Details' })
        await panel.getByRole('tab', { name: 'Context' }).tap()
        const views = panel.getByRole('tablist', { name: 'Context views' })
        await views.getByRole('tab', { name: /Trimmed \(\d+\)/ }).waitFor()
        for (const chosen of ['Branches', 'Audit', 'Turns', 'Trimmed']) {
          await views.getByRole('tab', { name: chosen }).tap()
          for (const tab of await views.getByRole('tab').all()) await assertWithin(tab, views)
        }
        await page.close()
      }
    },
  },
  'placeholders of fields are not cut off on a small phone': {
    pace: '0',
    async play(room) {
      const session = await talkedSession(room, 'reading twice', 'Read twice')
      const asking = await askingSession(room, 'an approval', 'Asks')
      const questions = await askingSession(room, 'a question', 'Asks words')
      const page = await room.open('/approvals', smallPhone)
      const assertWhole = async (where: string) =>
        assert.deepEqual(await cutPlaceholders(page), [], `${where} at ${page.url()}`)
      await page.getByRole('searchbox', { name: 'Search approvals' }).waitFor()
      await assertWhole('the ledger')
      await page.getByRole('button', { name: /^Open sessions/ }).tap()
      await page.getByRole('searchbox', { name: 'Search sessions' }).waitFor()
      await assertWhole('the drawer')
      await page.getByRole('button', { name: 'New session' }).tap()
      await page.getByRole('dialog', { name: 'New session' }).waitFor()
      await assertWhole('a new session')
      await page.goto(new URL(`/s/${questions}`, page.url()).href)
      await dock(page).getByRole('textbox').first().waitFor()
      await assertWhole('questions')
      await page.goto(new URL(`/s/${asking}`, page.url()).href)
      await dock(page).getByRole('button', { name: 'Deny with reason…' }).click()
      await assertWhole('a reason')
      await page.goto(new URL(`/s/${session}`, page.url()).href)
      await messageBox(page).waitFor()
      await page.getByRole('button', { name: 'Work log, context and inspector' }).tap()
      const panel = page.getByRole('dialog', { name: 'Details' })
      await panel.getByRole('searchbox').first().waitFor()
      await assertWhole('the work log')
      await panel.getByRole('tab', { name: 'Context' }).tap()
      await panel.getByRole('tab', { name: 'Audit' }).tap()
      await panel.getByPlaceholder('Tool').waitFor()
      await assertWhole('the audit')
      await room.client.session(session).archive(true)
      await page.reload()
      await page.getByText('This session is archived.').first().waitFor()
      await assertWhole('an archived session')
    },
  },
  'a phone marks that tables of the dashboard scroll, and shows the total cost': {
    pace: '0',
    async play(room) {
      await talkedSession(room, 'everything', 'All of it')
      for (const options of [phone, smallPhone]) {
        const page = await room.open('/dashboard?demo=1', options)
        const tables = page.getByRole('region', { name: / as a table$/ })
        await tables.nth(4).waitFor()
        for (const table of await tables.all()) await beyond(table)
        const costs = page.getByRole('region', { name: 'Cost as a table' })
        await assertWithin(costs.getByRole('columnheader', { name: 'Total' }), costs)
        await page.close()
      }
    },
  },
  'each step of the tour can be read on a phone, and marks where it scrolls': {
    pace: '0',
    async play(room) {
      for (const options of [phone, smallPhone]) {
        const page = await room.open('/', options)
        await page.getByRole('button', { name: 'Start the demo' }).tap()
        await page.getByRole('button', { name: 'Allow', exact: true, disabled: false }).tap()
        await page.getByRole('button', { name: 'Take the full tour' }).tap()
        const look = page.getByRole('group', { name: 'What to look at' })
        while ((await page.getByRole('button', { name: 'Finish' }).count()) === 0) {
          const more = await beyond(look)
          if (options === phone) assert.ok(more <= 0, `${await look.innerText()} is cut`)
          await page.getByRole('button', { name: 'Skip' }).tap()
        }
        await page.close()
      }
    },
  },
  'a subagent with a very long description has a one-line header until it is opened': {
    pace: '0',
    async play(room) {
      const description = 'look at this and that '.repeat(140)
      const helper: Step = { type: 'subagent', agent: 'explorer', description, steps: [words('Seen.')] }
      const session = await scriptedSession(room, [helper, words('All is seen.')])
      await room.client.session(session).prompt('look').saved
      await untilIdle(room, session)
      const page = await openSession(room, session, smallPhone)
      const head = transcript(page).getByRole('button', { name: /^explorer/ })
      const height = async () => (await head.boundingBox())?.height ?? Infinity
      await head.waitFor()
      const line = await height()
      assert.ok(line < 50, `its head is ${line} high`)
      await head.tap()
      await transcript(page).getByText('Seen.', { exact: true }).waitFor()
      const opened = await height()
      assert.ok(opened > line && opened < 500, `its open head is ${opened} high`)
    },
  },
  'a diagram wider than a phone is marked, as a drawing and as a picture': {
    pace: '0',
    async play(room) {
      const session = await scriptedSession(room, [wideDrawing, ...much])
      await room.client.session(session).prompt('draw it').saved
      await untilIdle(room, session)
      const page = await openSession(room, session, smallPhone)
      await transcript(page).getByText('Paragraph 60.').waitFor()
      await transcript(page).press('Home')
      const frame = transcript(page).locator('iframe[title=Diagram]')
      await frame.contentFrame().getByText('Omega').waitFor()
      assert.ok((await beyond(frame.contentFrame().getByRole('group', { name: 'Drawing' }))) > 0)
      await page.getByRole('button', { name: 'Jump to latest' }).tap()
      await frame.waitFor({ state: 'detached' })
      await transcript(page).press('Home')
      assert.ok((await beyond(transcript(page).getByRole('group', { name: 'Drawing' }))) > 0)
    },
  },
}
