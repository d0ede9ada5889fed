import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { isInView, savedTalk, shownTalk, tall, talkOf, until, untilSame } from './looking.ts'
import type { Scenarios } from './scenario.ts'
import { sessionOf, transcript, untilIdle } from './steps.ts'

const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Sessions' })
const listed = (page: Page, title: string) => sidebar(page).getByRole('listitem').filter({ hasText: title })

/** Chooses something in the menu of a session in the sidebar. */
async function choose(page: Page, title: string, item: string): Promise<void> {
  await listed(page, title).hover()
  await listed(page, title).getByRole('button', { name: 'Session menu' }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

const gone = { state: 'detached' } as const

const prompt = (page: Page, words: string) =>
  transcript(page).getByRole('article', { name: 'You', exact: true }).filter({ hasText: words })

/** Organizing sessions, and finding earlier messages. */
export const arranging: Scenarios = {
  'a session is renamed, archived and deleted, and each action can be undone': {
    pace: '0',
    async play(room) {
      const { id } = await room.client.createSession({ title: 'First name' })
      await room.client.session(id).prompt('still here?').saved
      await room.client.createSession({ title: 'Bystander' })
      const page = await room.open(`/s/${id}`)
      const other = await room.open(`/s/${id}`)
      await prompt(other, 'still here?').waitFor()
      await choose(page, 'First name', 'Rename')
      await page.getByRole('textbox', { name: 'Session name' }).fill('Second name')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Second name', level: 1 }).waitFor()
      await choose(page, 'Second name', 'Archive')
      // A hovered toast stays until the user acts.
      const toasts = page.getByRole('status', { name: 'Notifications' })
      await toasts.getByRole('button', { name: 'Undo' }).hover()
      await listed(page, 'Second name').waitFor(gone)
      await page.getByText('This session is archived.').waitFor()
      await toasts.getByRole('button', { name: 'Undo' }).click()
      await listed(page, 'Second name').waitFor()
      await choose(page, 'Second name', 'Delete')
      await toasts.getByText('“Second name” was deleted.').hover()
      await listed(page, 'Second name').waitFor(gone)
      assert.equal(new URL(page.url()).pathname, '/')
      await other.getByRole('heading', { name: 'This session was deleted' }).waitFor()
      await toasts.getByRole('button', { name: 'Undo' }).click()
      await listed(page, 'Second name').waitFor()
      await page.waitForURL(`**/s/${id}`)
      for (const tab of [page, other]) await prompt(tab, 'still here?').waitFor()
      const { title, archived, deleted } = await room.client.call('getSession', { params: { session: id } })
      assert.deepEqual([title, archived, deleted], ['Second name', false, false])
      assert.equal(await listed(page, 'Bystander').count(), 1)
    },
  },
  'a session is pinned to the top of every tab, and the list is grouped by project and made wider, which stays so':
    {
      pace: '0',
      async play(room) {
        const cwd = join(room.home, 'clients', 'shop')
        mkdirSync(cwd, { recursive: true })
        await room.client.createSession({ title: 'Oldest', cwd })
        for (const title of ['Middle', 'Newest']) await room.client.createSession({ title })
        const page = await room.open('/')
        const other = await room.open('/')
        await listed(page, 'Oldest').waitFor()
        await choose(page, 'Oldest', 'Pin to the top')
        for (const tab of [page, other]) {
          await sidebar(tab).getByRole('heading', { name: 'Pinned' }).waitFor()
          const top = sidebar(tab).locator('a[data-session]').first()
          await top.filter({ hasText: 'Oldest' }).waitFor()
          assert.match(await top.innerText(), /clients\/shop/)
        }
        await choose(page, 'Oldest', 'Unpin')
        await sidebar(other).getByRole('heading', { name: 'Pinned' }).waitFor(gone)
        await page.getByRole('button', { name: 'Group by project' }).click()
        await sidebar(page)
          .getByRole('button', { name: /^clients\/shop/ })
          .click()
        await listed(page, 'Oldest').locator('a').waitFor(gone)
        const edge = page.getByRole('separator', { name: 'Width of the session list' })
        const before = (await edge.boundingBox())?.x ?? 0
        await edge.hover()
        await page.mouse.down()
        await page.mouse.move(before + 120, 300, { steps: 4 })
        await page.mouse.up()
        await until('the list is wider', async () => ((await edge.boundingBox())?.x ?? 0) > before + 90)
        await page.reload()
        await sidebar(page)
          .getByRole('button', { name: /^clients\/shop/, expanded: false })
          .waitFor()
        assert.ok(((await edge.boundingBox())?.x ?? 0) > before + 90, 'the list is narrow after a reload')
      },
    },
  'deleted sessions are listed separately, and restored from there': {
    pace: '0',
    async play(room) {
      const { id } = await room.client.createSession({ title: 'Once deleted' })
      await room.client.createSession({ title: 'Bystander' })
      const page = await room.open('/')
      await choose(page, 'Once deleted', 'Delete')
      await listed(page, 'Once deleted').waitFor(gone)
      await sidebar(page).getByRole('button', { name: 'Filter', exact: true }).click()
      await page.getByRole('checkbox', { name: 'Deleted sessions' }).check()
      await listed(page, 'Bystander').waitFor(gone)
      await choose(page, 'Once deleted', 'Restore')
      await listed(page, 'Once deleted').waitFor(gone)
      await sidebar(page).getByText('No matching deleted sessions').waitFor()
      await page.getByRole('status', { name: 'Notifications' }).getByRole('button', { name: 'Open' }).click()
      await page.waitForURL(`**/s/${id}`)
      await page.getByRole('heading', { name: 'Once deleted', level: 1 }).waitFor()
      await sidebar(page).getByRole('button', { name: 'Show all' }).first().click()
      await listed(page, 'Bystander').waitFor()
    },
  },
  'sessions are found by text, agent, folder and archive state': {
    pace: '0',
    async play(room) {
      const cwd = join(room.home, 'elsewhere')
      mkdirSync(cwd)
      await room.client.createSession({ title: 'Apples' })
      await room.client.createSession({ title: 'Pears', cwd })
      const { id } = await room.client.createSession({ title: 'Apples of old' })
      await room.client.session(id).archive(true)
      const page = await room.open()
      const search = sidebar(page).getByRole('searchbox', { name: 'Search sessions' })
      await listed(page, 'Pears').waitFor()
      await search.fill('apples')
      await listed(page, 'Pears').waitFor(gone)
      await listed(page, 'Apples').waitFor()
      assert.equal(await listed(page, 'Apples').count(), 1)
      await sidebar(page).getByRole('button', { name: 'Filter' }).click()
      await sidebar(page).getByRole('checkbox', { name: 'Archived sessions' }).check()
      await listed(page, 'Apples of old').waitFor()
      await sidebar(page).getByRole('button', { name: 'Show all' }).click()
      await listed(page, 'Pears').waitFor()
      await sidebar(page).getByRole('combobox', { name: 'Folder' }).selectOption(cwd)
      await listed(page, 'Apples').waitFor(gone)
      await listed(page, 'Pears').waitFor()
      await sidebar(page).getByRole('combobox', { name: 'Agent' }).selectOption('codex')
      await sidebar(page).getByText('No matching sessions').waitFor()
      await sidebar(page).getByRole('button', { name: 'Show all' }).first().click()
      await listed(page, 'Apples').waitFor()
    },
  },
  'a link opens a message or an interaction, however far back, or reports that it is missing': {
    pace: '0',
    async play(room) {
      const answers = Array.from({ length: 5 }, (_, at) => `a long answer, number ${at + 1}`)
      const session = await talkOf(room, 'where it began', ...answers)
      await untilIdle(room, session)
      const { interactions } = await room.client.call('GET /api/sessions/:session/interactions', {
        params: { session },
      })
      const [first, , third] = interactions.toSorted((one, other) => one.start.seq - other.start.seq)
      const [question, answer] = first?.messages ?? []
      const page = await room.open(`/s/${session}`)
      await transcript(page).getByText('number 5').waitFor()
      assert.equal(await isInView(page, 'where it began'), false)
      for (const [path, words] of [
        [`m/${question?.id}`, 'where it began'],
        [`m/${answer?.id}`, 'I understood “where it began”'],
        [`i/${third?.id}`, 'a long answer, number 2'],
      ] as const) {
        await page.goto(`${room.server.url}/s/${session}/${path}`)
        await until(`“${words}” is in view`, () => isInView(page, words))
      }
      await page.goto(`${room.server.url}/s/${session}/m/nothing`)
      await page.getByText('The linked message is not in this conversation.').waitFor()
    },
  },
  'a branch continues from a message, and the first session does not change': {
    pace: '0',
    async play(room) {
      const session = await talkOf(room, 'the root', 'a branch')
      await untilIdle(room, session)
      const before = await savedTalk(room, session)
      const page = await room.open(`/s/${session}`, tall)
      await prompt(page, 'a branch').waitFor()
      const { messages } = await room.client.call('listMessages', { params: { session } })
      // The buttons cannot be counted: rows appear and disappear.
      const answer = transcript(page).locator(`[data-row*="${messages[1]?.id}"]`)
      await answer.getByRole('button', { name: 'Branch from here' }).click()
      await page.waitForURL(url => url.pathname !== `/s/${session}`)
      const fork = sessionOf(page)
      assert.deepEqual((await savedTalk(room, fork)).asked, ['the root'])
      await prompt(page, 'the root').waitFor()
      await prompt(page, 'a branch').waitFor(gone)
      await page.getByRole('textbox', { name: 'Message' }).fill('another branch')
      await page.keyboard.press('Enter')
      await transcript(page).getByText('I understood “another branch”').waitFor()
      await untilIdle(room, fork)
      await untilSame(room, fork, page)
      assert.deepEqual((await shownTalk(page)).asked, ['the root', 'another branch'])
      assert.deepEqual(await savedTalk(room, session), before)
    },
  },
  'a prompt is edited and sent again, here or in a new session': {
    pace: '0',
    async play(room) {
      const session = await talkOf(room, 'stays', 'is edited', 'is replaced')
      await untilIdle(room, session)
      const page = await room.open(`/s/${session}`, tall)
      const editor = page.getByRole('textbox', { name: 'Edit the message' })
      await prompt(page, 'is edited').getByRole('button', { name: 'Edit' }).click()
      await editor.fill('was edited')
      await page.reload()
      await editor.waitFor()
      assert.equal(await editor.inputValue(), 'was edited')
      await page.getByRole('button', { name: 'Send from here' }).click()
      await transcript(page).getByText('I understood “was edited”').waitFor()
      await untilIdle(room, session)
      await untilSame(room, session, page)
      assert.deepEqual((await shownTalk(page)).asked, ['stays', 'was edited'])
      await prompt(page, 'was edited').getByRole('button', { name: 'Edit' }).click()
      await editor.fill('went elsewhere')
      await page.getByRole('button', { name: 'Send in a new session' }).click()
      await page.waitForURL(url => url.pathname !== `/s/${session}`)
      await transcript(page).getByText('I understood “went elsewhere”').waitFor()
      assert.deepEqual((await shownTalk(page)).asked, ['stays', 'went elsewhere'])
      assert.deepEqual((await savedTalk(room, session)).asked, ['stays', 'was edited'])
    },
  },
}
