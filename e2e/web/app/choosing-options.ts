import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { createAxeLooks } from './accessible.ts'
import { until } from './looking.ts'
import type { Room } from './room.ts'
import type { Scenarios } from './scenario.ts'
import { messageBox, sendPrompt, sessionOf } from './steps.ts'

const model = (page: Page) => page.getByRole('combobox', { name: 'Model' })

const optionsOf = async ({ client }: Room, session: string) =>
  (await client.call('getSession', { params: { session } })).options

/** Options of agents, next to the message and in a new session, and the choice of a folder. */
export const choosingOptions: Scenarios = {
  '[A17] the model, the permission mode and the effort are chosen next to the message, by keyboard too': {
    async play(room) {
      await room.client.createSession({ id: 'mine', agent: 'claude-code', cwd: room.home })
      const page = await room.open('/s/mine')
      const looks = createAxeLooks(page)
      await model(page).selectOption('opus')
      await until('the model is saved', async () =>
        JSON.stringify(await optionsOf(room, 'mine')).includes('opus'),
      )
      await page.getByRole('combobox', { name: 'Permission mode' }).selectOption('Bypass permissions')
      await page.getByText('Claude Code runs every command and edits every file without asking.').waitFor()
      await looks.look('a risky option')
      await model(page).focus()
      await page.keyboard.type('hai')
      await until('the model is changed by keyboard', async () =>
        JSON.stringify(await optionsOf(room, 'mine')).includes('haiku'),
      )
      const second = await room.open('/s/mine')
      assert.equal(await model(second).inputValue(), 'haiku')
      await page.getByRole('button', { name: 'More options' }).click()
      await looks.look('more options')
      await page.getByLabel('Budget in dollars').fill('3')
      await page.getByRole('button', { name: 'Save options' }).click()
      await until('another option is saved', async () =>
        JSON.stringify(await optionsOf(room, 'mine')).includes('"maxBudget":3'),
      )
      looks.finish()
    },
  },

  '[A17] options cannot be changed while the agent works or the server is away, and the reason is shown': {
    async play(room) {
      await room.client.createSession({ id: 'busy', agent: 'scripted', cwd: room.home })
      const page = await room.open('/s/busy')
      const more = page.getByRole('button', { name: 'More options' })
      await sendPrompt(page, 'a long answer')
      await page.getByTitle('You can change options when the agent is done.').waitFor()
      assert.equal(await more.isDisabled(), true)
      await page.getByRole('button', { name: 'Stop' }).click()
      await page.waitForFunction(
        () => document.querySelector('[aria-label="More options"]:disabled') === null,
      )
      await room.kill()
      await page.getByTitle('You can change options once the server is back.').waitFor()
      assert.equal(await more.isDisabled(), true)
    },
  },

  '[A17] a new session gets its folder by browsing and its options from the same lists': {
    async play(room) {
      for (const name of ['shop', 'shop/server', '.hidden'])
        mkdirSync(join(room.home, 'work', name), { recursive: true })
      const page = await room.open()
      await page.getByRole('button', { name: 'New session' }).first().click()
      const dialog = page.getByRole('dialog', { name: 'New session' })
      await dialog.getByRole('button', { name: 'Browse' }).click()
      const folders = dialog.getByRole('group', { name: 'Folders', exact: true })
      await folders.getByRole('button', { name: 'work' }).click()
      await folders.getByRole('button', { name: 'shop' }).waitFor()
      assert.equal(await folders.getByText('hidden').count(), 0)
      await folders.getByRole('button', { name: 'shop' }).click()
      await folders.getByRole('button', { name: 'server' }).waitFor()
      const looks = createAxeLooks(page)
      await looks.look('the folders')
      await dialog.getByRole('radio', { name: /Scripted agent/ }).check()
      await dialog.getByRole('button', { name: 'More options' }).click()
      await page.getByLabel('Pace').fill('0')
      await page.getByRole('button', { name: 'Save options' }).click()
      await dialog.getByRole('button', { name: 'Start', exact: true }).click()
      await messageBox(page).waitFor()
      await page.waitForURL(/\/s\//)
      const made = await room.client.call('getSession', { params: { session: sessionOf(page) } })
      assert.deepEqual(
        [made.cwd, made.agent, made.options],
        [join(room.home, 'work/shop'), 'scripted', { pace: 0 }],
      )
      looks.finish()
    },
  },

  '[A17] the settings page saves choices in the server, and the theme in the browser': {
    async play(room) {
      const page = await room.open()
      await page.getByRole('navigation', { name: 'Sessions' }).waitFor()
      await page.keyboard.press('g')
      await page.keyboard.press('s')
      await page.waitForURL(/\/settings$/)
      const looks = createAxeLooks(page)
      const trimming = page.getByLabel('Context trimming')
      await trimming.selectOption('Balanced')
      const saved = async () => room.client.call('GET /api/settings')
      await until('the profile is saved', async () => (await saved()).context.value === 'balanced')
      await page.getByRole('button', { name: 'More options' }).click()
      await page.getByLabel('Pace').fill('0')
      await page.getByRole('button', { name: 'Save options' }).click()
      await until('the options are saved', async () =>
        JSON.stringify((await saved()).options).includes('{"scripted":{"pace":0}}'),
      )
      // This server was started with a default agent.
      assert.equal(await page.getByLabel('Default agent').isDisabled(), true)
      await looks.look('the settings')
      await page.getByText('Dark', { exact: true }).click()
      await looks.look('the settings in the dark')
      await room.restart('end')
      const other = await room.open('/settings')
      await until(
        'the choice outlives the server',
        async () => (await other.getByLabel('Context trimming').inputValue()) === 'balanced',
      )
      assert.equal(await other.evaluate(() => document.documentElement.dataset['theme']), 'dark')
      const { id } = await room.client.createSession({ cwd: room.home })
      const made = await room.client.call('getSession', { params: { session: id } })
      assert.deepEqual(made.options, { pace: 0 })
      looks.finish()
    },
  },
}
