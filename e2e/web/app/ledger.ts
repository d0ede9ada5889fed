import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { until } from './looking.ts'
import type { Room } from './room.ts'
import type { Scenarios } from './scenario.ts'
import { askToRun, scriptedSession } from './scripted.ts'
import { transcript, untilIdle } from './steps.ts'

const past = (page: Page) => page.getByRole('region', { name: 'History' }).getByRole('listitem')

/** Waits until one answer is listed, and it reads like this. */
const untilOnly = (page: Page, words: RegExp) =>
  until(`only ${words} is listed`, async () => {
    const all = await past(page).allInnerTexts()
    return all.length === 1 && words.test(all[0] ?? '')
  })

/** Lets an agent ask for approval, and answers by API. */
async function asked(room: Room, command: string, answer?: object): Promise<string> {
  const { client } = room
  const session = await scriptedSession(room, [askToRun(command)])
  await client.call('prompt', { params: { session }, body: { text: `about ${command}` } })
  for (;;) {
    const { approvals } = await client.call('listApprovals', { params: { session }, query: {} })
    const [first] = approvals
    if (first === undefined) continue
    if (answer === undefined) return session
    const params = { session, approval: first.id }
    await client.call('answerApproval', { params, body: { approved: true, ...answer } })
    await untilIdle(room, session)
    return session
  }
}

/** The approval requests of all sessions. */
export const ledger: Scenarios = {
  'the approvals page has every answer of every session, found by text and by outcome': {
    pace: '0',
    async play(room) {
      await asked(room, 'ls', {})
      await asked(room, 'rm -r src', { approved: false, reason: 'we need that' })
      const page = await room.open('/approvals')
      await past(page).nth(1).waitFor()
      await page.getByRole('combobox', { name: 'Outcome' }).selectOption('denied')
      await untilOnly(page, /rm -r src[^]*Denied/)
      await past(page).locator('summary').click()
      await past(page).getByText('Reason: we need that').waitFor()
      await page.getByRole('combobox', { name: 'Answered by' }).selectOption('rule')
      await page.getByText('No results').waitFor()
      await page.getByRole('combobox', { name: 'Outcome' }).selectOption('all')
      await page.getByRole('combobox', { name: 'Answered by' }).selectOption('all')
      await page.getByRole('searchbox', { name: 'Search approvals' }).fill('about ls')
      await untilOnly(page, /Allowed/)
    },
  },
  'the approvals page shows “No pending approvals” only after loading, and retries a failed load': {
    pace: '0',
    async play(room) {
      await asked(room, 'npm publish')
      const page = await room.open('/')
      const questions = '**/api/approvals?*'
      const held = Promise.withResolvers<void>()
      await page.route(questions, async route => {
        await held.promise
        await route.fulfill({ status: 500, body: '' })
      })
      await page.goto(`${room.server.url}/approvals`)
      const heading = (name: string) => page.getByRole('heading', { name })
      await heading('Loading pending approvals…').waitFor()
      held.resolve()
      await heading('Couldn’t load pending approvals').waitFor()
      await page.getByText('Couldn’t load some approvals').waitFor()
      assert.equal(await page.getByText('No approval requests yet').count(), 0)
      await page.unroute(questions)
      await page.getByRole('button', { name: 'Try again' }).click()
      await heading('Waiting for approval (1)').waitFor()
      await page.getByText('No answers yet').waitFor()
    },
  },
  'the approvals page answers pending requests, and revokes rules': {
    pace: '0',
    async play(room) {
      const ruled = await asked(room, 'npm test', { always: true })
      const waiting = await asked(room, 'npm publish')
      const page = await room.open('/approvals')
      await page.getByRole('heading', { name: 'Waiting for approval (1)' }).waitFor()
      await page
        .getByRole('article')
        .getByRole('button', { name: /^Allow/ })
        .click()
      await page.getByRole('heading', { name: 'No pending approvals' }).waitFor()
      await untilIdle(room, waiting)
      const rules = page.getByRole('region', { name: 'Always allowed' })
      await rules.getByText('npm test', { exact: true }).waitFor()
      await rules.getByRole('button', { name: 'Revoke' }).click()
      await rules.waitFor({ state: 'detached' })
      const { rules: left } = await room.client.call('listApprovals', {
        params: { session: ruled },
        query: {},
      })
      assert.deepEqual(left, [])
    },
  },
  'an archived session that waits for approval stays visible, and a queued session is marked as queued': {
    pace: '0',
    async play(room) {
      const busy = await Promise.all(Array.from({ length: 8 }, (_, at) => asked(room, `echo ${at}`)))
      const [first = ''] = busy
      const session = await scriptedSession(room, [askToRun('true')])
      const page = await room.open(`/s/${session}`)
      await room.client.call('prompt', { params: { session }, body: { text: 'is there room?' } })
      await page.getByText('8 agents are running, which is the limit.').waitFor()
      const atWork = page.getByRole('list', { name: 'Running sessions' }).getByRole('link')
      await until('all running sessions are listed', async () => (await atWork.count()) === 8)
      await atWork.filter({ hasText: 'about echo 3' }).click()
      await page.getByRole('heading', { level: 1, name: 'about echo 3' }).waitFor()
      await page.goBack()
      await atWork.first().waitFor()
      await page.reload()
      await transcript(page)
        .getByText(/^Queued · /)
        .waitFor()
      await room.client.session(first).archive(true)
      await page.locator(`nav a[data-session="${first}"]`).getByText('Archived').waitFor()
      const other = await room.open('/approvals')
      const question = other.getByRole('article').filter({ hasText: 'echo 0' })
      await question.getByRole('button', { name: /^Allow/ }).click()
      await untilIdle(room, first)
      // Its agent rests now, and makes room.
      await page
        .getByRole('button', { name: /^Allow/ })
        .first()
        .waitFor()
      await transcript(page)
        .getByText(/^Queued/)
        .waitFor({ state: 'detached' })
      const { awaitsPlace } = await room.client.call('getSession', { params: { session } })
      assert.equal(awaitsPlace, null)
    },
  },
}
