import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { savedTalk, shownTalk, tall, until, untilSame } from './looking.ts'
import type { Scenarios } from './scenario.ts'
import { askOnTheSide, askToRun, openSession, scriptedSession } from './scripted.ts'
import { dock, newSession, sendPrompt, transcript, untilIdle } from './steps.ts'
import { soon, unreachable, withoutServer } from './without-server.ts'

/** Lets one request through to the server, whose reply is lost on the way. */
const loseNextReply = (page: Page, address: string) =>
  page.context().route(
    address,
    async route => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )

/** The title and the status of a session. */
const header = (page: Page) => page.locator('main header')

/** The network or the server fails, and is restored. */
export const goingAway: Scenarios = {
  'offline, prompts are queued and marked as such, and are sent once when the network is back': {
    pace: '0',
    async play(room) {
      const page = await room.open('/', tall)
      const session = await newSession(page)
      await sendPrompt(page, 'before')
      await transcript(page).getByText('I understood “before”').waitFor()
      await page.context().setOffline(true)
      await page.getByText('You’re offline. You’re seeing the last known state.').waitFor(soon)
      for (const words of ['first while away', 'second while away']) await sendPrompt(page, words)
      const unsent = page.getByRole('article', { name: 'Your message, not sent yet' })
      await unsent.getByText('second while away').waitFor()
      await page.getByText('2 messages will be sent when you’re back online.').waitFor()
      assert.deepEqual((await savedTalk(room, session)).asked, ['before'])
      await loseNextReply(page, `**/api/sessions/${session}/prompts`)
      await page.context().setOffline(false)
      await transcript(page).getByText('I understood “second while away”').waitFor()
      await unsent.first().waitFor({ state: 'detached' })
      await page.getByText('You’re offline.').waitFor({ state: 'detached' })
      await untilIdle(room, session)
      await untilSame(room, session, page)
      assert.deepEqual((await shownTalk(page)).asked, ['before', 'first while away', 'second while away'])
    },
  },
  'a page catches up by itself when the server is killed and restarted during an answer': {
    async play(room) {
      const page = await room.open('/', tall)
      const session = await newSession(page)
      await sendPrompt(page, 'a long answer')
      await transcript(page).getByRole('listitem').nth(1).waitFor()
      await room.kill()
      await unreachable(page).waitFor()
      await page.getByText('Messages you send now will be delivered when it’s back.').waitFor()
      await sendPrompt(page, 'said while it was away')
      await page.getByText('1 message will be sent when it’s back.').waitFor()
      await room.start()
      await transcript(page).getByText('I understood “said while it was away”').waitFor()
      await unreachable(page).waitFor({ state: 'detached' })
      await untilIdle(room, session)
      await untilSame(room, session, page)
      const { answers } = await savedTalk(room, session)
      assert.ok(answers.length > 50 && answers.length < 1700, 'the answer was not cut in the middle')
      await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
    },
  },
  'without its server a page shows the last known state, and is consistent afterwards': {
    async play(room) {
      const page = await room.open('/', tall)
      await newSession(page)
      await sendPrompt(page, 'a hang')
      const stop = page.getByRole('button', { name: 'Stop' })
      await transcript(page)
        .getByText(/^Working · 2 s$/)
        .waitFor()
      await room.kill()
      await unreachable(page).waitFor(soon)
      const known = transcript(page).getByText(/^Was working for \d+ s when the connection was lost$/)
      const words = await known.textContent(soon)
      for (const place of [header(page), page.locator('a[data-session]')])
        await place.getByText('Running (last known)').waitFor(soon)
      assert.ok(await stop.isDisabled(), 'Stop can be pressed though it cannot work')
      const reason = page.getByText('You can stop it once the server is back.')
      await reason.waitFor(soon)
      assert.ok(((await reason.boundingBox())?.height ?? 0) < 60, 'the reason has room next to the options')
      await page.waitForTimeout(3000)
      assert.equal(await known.textContent(), words)
      await room.start()
      await transcript(page).getByText('Stopped. The server stopped while this was running.').waitFor()
      await header(page).getByText('Stopped', { exact: true }).waitFor()
      await page.locator('a[data-session]').getByText('Stopped').waitFor()
      await unreachable(page).waitFor({ state: 'detached' })
      await stop.waitFor({ state: 'detached' })
    },
  },
  'a request cannot be answered without the server, and was not run when it is back': {
    pace: '0',
    async play(room) {
      const session = await scriptedSession(room, [...askOnTheSide('it'), askToRun('rm -r build')])
      const page = await openSession(room, session)
      await sendPrompt(page, 'may it?')
      const allows = [dock(page), transcript(page)].map(each =>
        each.getByRole('button', { name: 'Allow', exact: true }),
      )
      for (const allow of allows) await until('the request can be allowed', () => allow.isEnabled())
      await room.kill()
      await page.getByText('You can answer once the server is back.').waitFor(soon)
      for (const allow of allows)
        assert.ok(await allow.isDisabled(), 'Allow can be pressed though it cannot work')
      await transcript(page).focus()
      for (const key of ['y', 'n', 'a']) await page.keyboard.press(key)
      await page.waitForTimeout(1000)
      assert.equal(
        await page.getByRole('status', { name: 'Notifications' }).textContent(),
        '',
        'a key was taken for an answer',
      )
      await room.start()
      const notRun = transcript(page).getByText('Not run: the agent ended before this was approved.')
      await until('neither was run', async () => (await notRun.count()) === 2)
      for (const allow of allows) await allow.waitFor({ state: 'detached' })
    },
  },
  'a prompt written without the server is sent within a few seconds once it is back': {
    pace: '0',
    async play(room) {
      const page = await room.open('/', tall)
      await newSession(page)
      await sendPrompt(page, 'before')
      await transcript(page).getByText('I understood “before”').waitFor()
      await room.kill()
      await sendPrompt(page, 'meanwhile')
      // By then the pauses between attempts have their full length.
      await page.waitForTimeout(8000)
      await room.start()
      await transcript(page).getByText('I understood “meanwhile”').waitFor({ timeout: 6000 })
    },
  },
  'a prompt that was queued when the server was killed is held, and runs once when released': {
    pace: '0',
    async play(room) {
      const page = await room.open('/', tall)
      const session = await newSession(page)
      await sendPrompt(page, 'a hang')
      await page.getByRole('button', { name: 'Stop' }).waitFor()
      await sendPrompt(page, 'when you are done')
      const waiting = page.getByRole('region', { name: 'Queued prompts' })
      await waiting.getByText('when you are done').waitFor()
      await room.restart('kill')
      await waiting.getByText('Press Continue to run it.').waitFor()
      await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
      await waiting.getByRole('button', { name: 'Continue' }).click()
      await transcript(page).getByText('I understood “when you are done”').waitFor()
      await waiting.waitFor({ state: 'detached' })
      await untilIdle(room, session)
      await untilSame(room, session, page)
      assert.deepEqual((await shownTalk(page)).asked, ['a hang', 'when you are done'])
    },
  },
  'the browser is still signed in after a server restart': {
    pace: '0',
    async play(room) {
      const page = await room.open('/', tall)
      const session = await newSession(page)
      await sendPrompt(page, 'remember me')
      await untilIdle(room, session)
      await room.restart()
      await page.reload()
      await untilSame(room, session, page)
      const other = await room.open(`/s/${session}`, tall)
      await untilSame(room, session, other)
    },
  },
  ...withoutServer,
}
