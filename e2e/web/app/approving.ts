import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Room } from './room.ts'
import type { Scenarios } from './scenario.ts'
import { askToRun, openSession, scriptedSession, words } from './scripted.ts'
import { dock, messageBox, say, transcript, untilFocused, untilIdle } from './steps.ts'

/** Presses a button of the dock once it can be pressed. */
const press = (page: Page, name: string | RegExp) =>
  dock(page).getByRole('button', { name, exact: true }).click()

type Tabs = readonly [session: string, one: Page, two: Page]

/** One session in two tabs, in which the agent is told to do something that it asks about, and then goes on. */
async function askInTwoTabs(room: Room): Promise<Tabs> {
  const session = await scriptedSession(
    room,
    [askToRun('rm -r build'), words('We go on.')],
    [words('And on.')],
  )
  const [one, two] = [await openSession(room, session), await openSession(room, session)]
  await say(one, 'clean up')
  return [session, one, two]
}

/** The same, once both tabs show the question. */
async function twoTabs(room: Room): Promise<Tabs> {
  const [session, one, two] = await askInTwoTabs(room)
  for (const page of [one, two]) await dock(page).getByText('rm -r build', { exact: true }).first().waitFor()
  return [session, one, two]
}

/** Both tabs tell of the same answer, ask nothing more, and the agent went on. */
async function bothTell(pages: readonly Page[], answer: string): Promise<void> {
  for (const page of pages) {
    await transcript(page).getByText(answer).first().waitFor()
    await transcript(page).getByText('We go on.').waitFor()
    await dock(page).waitFor({ state: 'detached' })
  }
}

const lastApproval = async ({ client }: Room, session: string) => {
  const { approvals } = await client.call('listApprovals', { params: { session }, query: { all: '1' } })
  return approvals.at(-1)
}

/** What every button in the conversation is called. */
const buttonsOf = (page: Page) =>
  transcript(page)
    .getByRole('button')
    .evaluateAll(all => all.map(each => each.textContent))

/** Questions of the agent, from two tabs. */
export const approving: Scenarios = {
  'what is allowed in one tab runs, and the other tab is told so': {
    pace: '0',
    async play(room) {
      const [session, one, two] = await twoTabs(room)
      await press(one, /^Allow/)
      await bothTell([one, two], 'Allowed by you')
      assert.equal((await lastApproval(room, session))?.status, 'granted')
    },
  },
  'what is denied with a reason in the second tab is told in the first, and to the agent': {
    pace: '0',
    async play(room) {
      const [session, one, two] = await twoTabs(room)
      await press(two, 'Deny with reason…')
      await dock(two)
        .getByRole('textbox', { name: /^Reason/ })
        .fill('keep the build')
      await press(two, 'Deny')
      await bothTell([one, two], 'keep the build')
      const { status, reason } = (await lastApproval(room, session)) ?? {}
      assert.deepEqual([status, reason], ['denied', 'keep the build'])
    },
  },
  'a plain no needs one key, and never one that is typed into the message': {
    pace: '0',
    async play(room) {
      const [session, one, two] = await twoTabs(room)
      await messageBox(one).pressSequentially('nay')
      await dock(one).waitFor()
      assert.equal((await lastApproval(room, session))?.status, 'pending')
      await dock(two).focus()
      await dock(two)
        .getByRole('button', { name: /^Deny$/ })
        .and(two.locator(':enabled'))
        .waitFor()
      await two.keyboard.press('n')
      await bothTell([one, two], 'You denied this')
      assert.equal((await lastApproval(room, session))?.status, 'denied')
      assert.equal(await messageBox(one).inputValue(), 'nay')
    },
  },
  'a command that was changed is what runs': {
    pace: '0',
    async play(room) {
      const [session, one, two] = await twoTabs(room)
      await press(one, 'Edit…')
      await dock(one).getByRole('textbox', { name: 'Command to run' }).fill('ls build')
      await press(one, /^Allow/)
      await bothTell([one, two], 'with edited input')
      assert.deepEqual((await lastApproval(room, session))?.changedInput, { command: 'ls build' })
      const { messages } = await room.client.call('listMessages', { params: { session } })
      assert.match(JSON.stringify(messages), /"output":\{"input":\{"command":"ls build"\}/)
    },
  },
  'who answers too late is told who was first, and goes on': {
    pace: '0',
    async play(room) {
      const [session, one, two] = await twoTabs(room)
      const isFirst = Promise.withResolvers<void>()
      await two.route(/\/approvals\//, async route => {
        await isFirst.promise
        await route.continue()
      })
      await press(two, /^Deny$/)
      await press(one, /^Allow/)
      await transcript(one).getByText('We go on.').waitFor()
      isFirst.resolve()
      await two.getByText(/allowed this first/).waitFor()
      await bothTell([one, two], 'Allowed by you')
      await untilIdle(room, session)
      await say(two, 'what else?')
      await transcript(two).getByText('And on.').waitFor()
    },
  },
  'an answer that was begun is there after a reload and a look elsewhere, in any tab, until one is given': {
    pace: '0',
    async play(room) {
      const [session, one, two] = await twoTabs(room)
      const field = (page: Page) => dock(page).getByRole('textbox', { name: 'Command to run' })
      const kept = () => one.evaluate(() => localStorage.getItem('dragoman begun'))
      await press(one, 'Edit…')
      await field(one).fill('ls build')
      for (const page of [one, two]) {
        await page.reload()
        await field(page).waitFor()
        assert.equal(await field(page).inputValue(), 'ls build')
      }
      await field(two).fill('ls -l build')
      await one.goto(new URL('/', one.url()).href)
      await one.getByRole('link', { name: /^Approvals/ }).click()
      await one.getByRole('textbox', { name: 'Command to run' }).waitFor()
      await one.goBack()
      await one.goBack()
      assert.equal(await field(one).inputValue(), 'ls -l build')
      await press(one, /^Allow/)
      await bothTell([one, two], 'Allowed by you')
      assert.deepEqual((await lastApproval(room, session))?.changedInput, { command: 'ls -l build' })
      assert.equal(await kept(), null)
    },
  },
  'who is writing an answer when another tab gives one is told so, and how': {
    pace: '0',
    async play(room) {
      const [, one, two] = await twoTabs(room)
      const ledger = await room.open('/approvals')
      const card = ledger.getByRole('article').filter({ hasText: 'rm -r build' })
      await card.getByRole('button', { name: 'Deny with reason…' }).click()
      await press(one, 'Edit…')
      await dock(one).getByRole('textbox', { name: 'Command to run' }).fill('ls build')
      await card.getByRole('textbox', { name: /^Reason/ }).fill('I am not sure')
      await press(two, 'Deny with reason…')
      await dock(two)
        .getByRole('textbox', { name: /^Reason/ })
        .fill('keep the build')
      await press(two, 'Deny')
      for (const page of [one, ledger])
        await page.getByText(/^Your answer was not sent\. .* denied this first: keep the build$/).waitFor()
      await untilFocused(messageBox(one))
      await untilFocused(ledger.locator('#main'))
      await bothTell([one, two], 'keep the build')
      assert.equal(await two.getByText('Your answer was not sent.').count(), 0)
    },
  },
  'what is always allowed is not asked again, is listed, and can be revoked': {
    pace: '0',
    async play(room) {
      const lint = askToRun('npm run lint')
      const session = await scriptedSession(
        room,
        [lint, words('Linted.')],
        [lint, askToRun('npm publish'), words('Published.')],
        [lint, words('Linted once more.')],
      )
      const [one, two] = [await openSession(room, session), await openSession(room, session)]
      await say(one, 'lint')
      await dock(one).getByText('“Always allow” covers only').waitFor()
      await press(one, /^Always/)
      await transcript(two).getByText('Linted.').waitFor()
      await say(two, 'lint and publish')
      await dock(two).getByText('npm publish', { exact: true }).first().waitFor()
      await transcript(two).getByText('Allowed by a rule').waitFor()
      await dock(two).getByText('1 rule allows calls without asking').click()
      await dock(two).getByRole('listitem').filter({ hasText: 'npm run lint' }).waitFor()
      await press(two, 'Revoke')
      for (const page of [one, two]) {
        await dock(page).getByText('npm publish', { exact: true }).first().waitFor()
        await dock(page).getByText('allows calls without asking').waitFor({ state: 'detached' })
      }
      await press(one, /^Allow/)
      await transcript(one).getByText('Published.').waitFor()
      await say(one, 'lint again')
      await dock(two).getByText('npm run lint', { exact: true }).first().waitFor()
    },
  },
  'a question that waits is the same after a reload, and lapses with its agent when the server is killed': {
    pace: '0',
    async play(room) {
      const [session, one, two] = await twoTabs(room)
      await transcript(two).getByText('Needs approval below').waitFor()
      const before = await buttonsOf(two)
      await two.reload()
      await dock(two).getByText('rm -r build', { exact: true }).first().waitFor()
      await transcript(two).getByText('Needs approval below').waitFor()
      assert.deepEqual(await buttonsOf(two), before)
      await room.restart('kill')
      for (const page of [one, two]) {
        await dock(page).waitFor({ state: 'detached' })
        await transcript(page).getByText('Expired').first().waitFor()
      }
      await say(one, 'again')
      await press(two, /^Allow/)
      await transcript(one).getByText('We go on.').waitFor()
      await untilIdle(room, session)
    },
  },
  'a question that nobody answers in time is denied by timeout': {
    pace: '0',
    flags: ['--approval-minutes', '0.05'],
    async play(room) {
      // On a busy machine the question may be over before a tab is seen to show it.
      const [session, one, two] = await askInTwoTabs(room)
      await bothTell([one, two], 'Expired without an answer')
      assert.equal((await lastApproval(room, session))?.by, 'timeout')
    },
  },
}
