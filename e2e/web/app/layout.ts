import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import type { Step } from '../../../src/agents/scripted/script.ts'
import { until } from './looking.ts'
import { talkedSession } from './made-sessions.ts'
import { phone } from './phone.ts'
import type { Scenarios } from './scenario.ts'
import { askToRun, openSession, scriptedSession } from './scripted.ts'
import { dock, sendPrompt, transcript, untilFocused, untilIdle } from './steps.ts'

const boxOf = async (thing: Locator) => {
  const box = await thing.boundingBox()
  assert.ok(box !== null, `${String(thing)} is not there`)
  return box
}

async function assertApart(one: Locator, other: Locator): Promise<void> {
  const [a, b] = [await boxOf(one), await boxOf(other)]
  const isApart =
    a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y
  assert.ok(isApart, `${String(one)} covers ${String(other)}: ${JSON.stringify([a, b])}`)
}

const linesOf = (words: Locator) =>
  words.evaluate(element => {
    const range = document.createRange()
    range.selectNodeContents(element)
    return new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top))).size
  })

async function act(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Session actions' }).click()
  // “Unarchive” has the word “archive” in it.
  await page.getByRole('menuitem', { name, exact: true }).click()
}

/**
 * Scrolls through a text as a reader would: how many lines are visible at first and in all, and which answers
 * were not.
 */
const readThrough = (text: Locator) =>
  text.evaluate(box => {
    const lines = document.createTreeWalker(box, NodeFilter.SHOW_TEXT).nextNode() as Text
    const places = Array.from(lines.data.matchAll(/.+/g), ({ index, 0: { length } }) => {
      const range = document.createRange()
      range.setStart(lines, index)
      range.setEnd(lines, index + length)
      return range
    })
    const isOnTop = (thing: Element, { left, top, width, height }: DOMRect) =>
      thing.contains(document.elementFromPoint(left + width / 2, top + height / 2))
    const answers = [...(box.closest('section')?.querySelectorAll('button') ?? [])].filter(button =>
      /^(Allow|Deny)(?! with)/.test(button.textContent),
    )
    const seen = new Set<Range>()
    const missing = new Set(answers.length === 2 ? [] : ['an answer'])
    const look = () => {
      for (const place of places) if (isOnTop(box, place.getBoundingClientRect())) seen.add(place)
      for (const answer of answers)
        if (!isOnTop(answer, answer.getBoundingClientRect())) missing.add(answer.textContent)
    }
    const goOn = (within: Element | null): boolean => {
      const before = within?.scrollTop ?? 0
      if (within !== null) within.scrollTop += 20
      return within !== null && (within.scrollTop > before || goOn(within.parentElement))
    }
    look()
    const atOnce = seen.size
    while (goOn(box)) look()
    return { atOnce, inAll: seen.size, missing: [...missing] }
  })

const long = 'one more word '.repeat(360).trim()
const run: Step = {
  type: 'tools',
  calls: [{ tool: 'Bash', input: { command: 'npm test' }, output: `${long.slice(0, 600)}\nand no more` }],
}

/** Elements that do not cover others. */
export const layout: Scenarios = {
  'renaming a session does not move the elements around its name': {
    pace: '0',
    async play(room) {
      const session = await talkedSession(room, 'hello', 'One')
      for (const options of [{}, phone]) {
        const page = await openSession(room, session, options)
        const header = page.getByRole('main').getByRole('banner').or(page.locator('main header')).first()
        const before = await boxOf(header)
        await act(page, 'Rename')
        const name = page.getByRole('textbox', { name: 'Session name' })
        await name.waitFor()
        assert.deepEqual(await boxOf(header), before)
        const leave = async (key: string) => {
          await page.keyboard.press(key)
          // A phone has no pencil.
          if (options !== phone) await untilFocused(page.getByRole('button', { name: 'Rename' }))
          assert.equal(await name.count(), 0, `after ${key} the name can still be edited`)
        }
        await leave('Escape')
        await act(page, 'Rename')
        await name.fill('Two')
        await leave('Enter')
        await page.getByRole('heading', { name: 'Two', level: 1 }).waitFor()
        await page.close()
      }
    },
  },
  'toasts cover neither requests nor the composer, on a laptop and on a phone': {
    pace: '0',
    async play(room) {
      const command = Array.from({ length: 30 }, (_, at) => `echo ${at}`).join('\n')
      const session = await scriptedSession(room, [askToRun(command)])
      await room.client.session(session).prompt('go').saved
      for (const options of [{}, phone]) {
        const page = await openSession(room, session, options)
        const question = dock(page)
        await question.getByRole('button', { name: 'Allow', exact: true }).waitFor()
        for (const name of ['Archive', 'Unarchive', 'Archive', 'Unarchive']) await act(page, name)
        const messages = page.getByRole('status', { name: 'Notifications' })
        await messages.getByRole('button', { name: 'Undo' }).nth(2).waitFor()
        for (const thing of [
          question,
          page.getByRole('button', { name: 'Stop' }),
          page.locator('main header').first(),
        ])
          await assertApart(messages, thing)
        await page.close()
      }
    },
  },
  'text has space: no button over command output, no heading or number in two lines': {
    pace: '0',
    async play(room) {
      const session = await scriptedSession(room, [run])
      const page = await openSession(room, session)
      await sendPrompt(page, 'go')
      await untilIdle(room, session)
      await transcript(page).getByRole('button', { name: /^Ran/ }).click()
      const output = transcript(page).getByRole('group', { name: 'Output' })
      await assertApart(output, transcript(page).getByRole('button', { name: 'Copy output' }))
      await page.getByRole('button', { name: 'Work log, context and inspector' }).click()
      await page.getByRole('tab', { name: 'Inspector' }).click()
      assert.equal(await linesOf(page.getByRole('heading', { name: 'Native line' })), 1)
      await page.route('**/api/usage?*', async route => {
        const response = await route.fetch()
        const inMinutes = (key: string, value: unknown) =>
          key === 'time' && Number(value) > 0 ? 2_032_000 : value
        await route.fulfill({ response, json: JSON.parse(await response.text(), inMinutes) as object })
      })
      for (const width of [1280, 1000, 390]) {
        await page.setViewportSize({ width, height: 800 })
        await page.goto(`${room.server.url}/dashboard?demo=1`)
        assert.equal(await linesOf(page.getByRole('definition').filter({ hasText: /^33 min 52 s$/ })), 1)
      }
      // A reply that is still being changed when the page closes would fail the check.
      await page.unrouteAll({ behavior: 'wait' })
    },
  },
  'files with long names stay in their bubble, and the bubble in the window': {
    pace: '0',
    async play(room) {
      const { id } = await room.client.createSession()
      const names = ['2026-11-16_quarterly-report_final-version-3_reviewed.txt', `${'long-'.repeat(40)}.txt`]
      const files = names.map(filename => ({
        type: 'file' as const,
        url: 'data:text/plain,hello',
        mediaType: 'text/plain',
        filename,
      }))
      await room.client.session(id).prompt([{ type: 'text', text: 'Read these.' }, ...files]).saved
      await untilIdle(room, id)
      for (const width of [1280, 390, 360]) {
        const page = await openSession(room, id, { viewport: { width, height: 800 } })
        for (const thing of [
          transcript(page).getByText('Read these.', { exact: true }),
          ...(await transcript(page).getByRole('list', { name: 'Attachments' }).getByRole('link').all()),
        ]) {
          const box = await thing.boundingBox()
          assert.ok(
            box !== null && box.x >= 0 && box.x + box.width <= width,
            `${width}: ${JSON.stringify(box)}`,
          )
        }
        await page.close()
      }
    },
  },
  'in a low window a request can be read to its end, and answered at any moment': {
    pace: '0',
    async play(room) {
      const command = Array.from({ length: 30 }, (_, at) => `echo line ${at}`).join('\n')
      const session = await scriptedSession(room, [askToRun(command)])
      await room.client.session(session).prompt('go').saved
      for (const viewport of [
        { width: 800, height: 480 },
        { width: 390, height: 480 },
      ]) {
        const page = await openSession(room, session, { viewport })
        const { atOnce, inAll, missing } = await readThrough(dock(page).getByLabel('Command'))
        assert.ok(atOnce >= 3, `${atOnce} lines are visible at once`)
        assert.deepEqual([inAll, missing], [30, []])
        await page.close()
      }
    },
  },
  'the answer buttons stay visible while a long input is edited': {
    pace: '0',
    async play(room) {
      const input = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`field ${at}`, `value ${at}`]))
      const session = await scriptedSession(room, [
        { type: 'approval', tool: 'deploy-'.repeat(60), input, output: 'ok' },
      ])
      await room.client.session(session).prompt('go').saved
      const page = await openSession(room, session, { viewport: { width: 1280, height: 800 } })
      await dock(page).getByRole('button', { name: 'Edit…' }).click()
      await untilFocused(dock(page).getByRole('textbox'))
      for (const name of ['Allow', 'Back']) {
        const button = dock(page).getByRole('button', { name, exact: true })
        const isOnTop = await button.evaluate(each => {
          const { left, top, width, height } = each.getBoundingClientRect()
          return each.contains(document.elementFromPoint(left + width / 2, top + height - 4))
        })
        assert.ok(isOnTop, `${name} is not visible`)
      }
    },
  },
  'above an on-screen keyboard, an answer is visible while it is typed, and can be sent': {
    pace: '0',
    async play(room) {
      const session = await scriptedSession(room, [askToRun('echo one\necho two\necho three')])
      await room.client.session(session).prompt('go').saved
      for (const [form, answer] of [
        ['Deny with reason…', 'Deny'],
        ['Edit…', 'Allow'],
      ] as const) {
        const page = await openSession(room, session, { viewport: { width: 360, height: 640 } })
        await dock(page).getByRole('button', { name: form }).click()
        const field = dock(page).getByRole('textbox')
        await untilFocused(field)
        await page.setViewportSize({ width: 360, height: 380 })
        await field.press('End')
        for (const thing of [field, dock(page).getByRole('button', { name: answer, exact: true })])
          await until(`“${form}” can be used`, () =>
            thing.evaluate(each => {
              const { left, top, width, height } = each.getBoundingClientRect()
              return [0.1, 0.9].every(part =>
                each.contains(document.elementFromPoint(left + width / 2, top + height * part)),
              )
            }),
          )
        await page.close()
      }
    },
  },
  'an unknown address shows a message in the middle of the page': {
    pace: '0',
    async play(room) {
      const page = await room.open('/no/such/place')
      const title = await boxOf(page.getByRole('heading', { level: 1 }))
      const main = await boxOf(page.getByRole('main'))
      const middle = title.y - main.y + title.height / 2
      assert.ok(Math.abs(middle - main.height / 2) < 80, `the title is at ${middle} of ${main.height}`)
    },
  },
  'an error of 5,000 characters is collapsed, and can be expanded': {
    pace: '0',
    async play(room) {
      const session = await scriptedSession(room, [
        { type: 'error', kind: 'test', message: `${long} the end` },
      ])
      const page = await openSession(room, session)
      await sendPrompt(page, 'go')
      await transcript(page).getByText('Failed.').waitFor()
      assert.equal(await transcript(page).getByText('the end').count(), 0)
      await transcript(page).getByRole('button', { name: 'Copy all' }).waitFor()
      await transcript(page).getByRole('button', { name: 'Show all' }).click()
      await transcript(page).getByText('the end').waitFor()
    },
  },
  'a deleted session is not requested again': {
    pace: '0',
    async play(room) {
      const session = await talkedSession(room, 'tools', 'To be deleted')
      const page = await openSession(room, session)
      await transcript(page).getByText('Two worked').waitFor()
      await act(page, 'Delete')
      await page.getByText('“To be deleted” was deleted.').waitFor()
      const refused: string[] = []
      // Earlier requests that can still be answered.
      page.on('request', async request => {
        const status = (await request.response())?.status() ?? 0
        if (status >= 400) refused.push(`${status} ${request.url()}`)
      })
      await page.waitForTimeout(2000)
      await page.getByRole('button', { name: 'Undo' }).click()
      await transcript(page).getByText('Two worked').waitFor()
      assert.deepEqual(refused, [])
    },
  },
}
