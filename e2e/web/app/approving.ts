import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Room } from './room.ts'
import type { Scenarios } from './scenario.ts'
import { askToRun, openSession, scriptedSession, words } from './scripted.ts'
import { dock, messageBox, sendPrompt, transcript, untilFocused, untilIdle } from './steps.ts'

/** Presses a button of the dock once it can be pressed. */
const press = (page: Page, name: string | RegExp) =>
  dock(page).getByRole('button', { name, exact: true }).click()

type Tabs = readonly [session: string, one: Page, two: Page]

/** One session in two tabs; the agent asks for approval, and then continues. */
async function askInTwoTabs(room: Room): Promise<Tabs> {
  const session = await scriptedSession(
    room,
    [askToRun('rm -r build'), words('We go on.')],
    [words('And on.')],
  )
  const [one, two] = [await openSession(room, session), await openSession(room, session)]
  await sendPrompt(one, 'clean up')
  return [session, one, two]
}

/** The same, once both tabs show the question. */
async function twoTabs(room: Room): Promise<Tabs> {
  const [session, one, two] = await askInTwoTabs(room)
  for (const page of [one, two]) await dock(page).getByText('rm -r build', { exact: true }).first().waitFor()
  return [session, one, two]
}

/** Both tabs show the same answer and no request, and the agent continued. */
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
  'a request allowed in one tab runs, and the other tab shows the answer': {
    pace: '0',
    async play(room) {
      const [session, one, two] = await twoTabs(room)
      await press(one, /^Allow/)
      await bothTell([one, two], 'Allowed by you')
      assert.equal((await lastApproval(room, session))?.status, 'granted')
    },
  },
  'a denial with a reason in the second tab reaches the first tab and the agent': {
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
  'one key denies a request, but never a key typed into the message': {
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
  'an edited command runs as edited': {
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
  'an answer that comes too late reports who was first, and the session continues': {
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
      await sendPrompt(two, 'what else?')
      await transcript(two).getByText('And on.').waitFor()
    },
  },
  'a draft answer is restored after a reload and on another page, in any tab, until the request is answered':
    {
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
  'a user who writes an answer sees when and how another tab answered': {
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
  'a request that is always allowed is not asked again, is listed, and can be revoked': {
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
      await sendPrompt(one, 'lint')
      await dock(one).getByText('“Always allow” covers only').waitFor()
      await press(one, /^Always/)
      await transcript(two).getByText('Linted.').waitFor()
      await sendPrompt(two, 'lint and publish')
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
      await sendPrompt(one, 'lint again')
      await dock(two).getByText('npm run lint', { exact: true }).first().waitFor()
    },
  },
  'a pending request is the same after a reload, and lapses when the server is killed': {
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
      await sendPrompt(one, 'again')
      await press(two, /^Allow/)
      await transcript(one).getByText('We go on.').waitFor()
      await untilIdle(room, session)
    },
  },
  'a request without an answer is denied by timeout': {
    pace: '0',
    flags: ['--approval-minutes', '0.05'],
    async play(room) {
      // On a busy machine the request may be over before a tab shows it.
      const [session, one, two] = await askInTwoTabs(room)
      await bothTell([one, two], 'Expired without an answer')
      assert.equal((await lastApproval(room, session))?.by, 'timeout')
    },
  },
}
