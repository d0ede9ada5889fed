import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Page } from 'playwright-core'
import type { Room } from './room.ts'
import type { Scenario, Scenarios } from './scenario.ts'
import { openSession, scriptedSession, words } from './scripted.ts'
import { sendPrompt, transcript, untilIdle } from './steps.ts'

const fakeModel = join(import.meta.dirname, '../../fake-model.ts')

/** A room with our own model, which reads a file twice. */
const withModel = (play: (room: Room) => Promise<void>): Scenario => ({
  async play(room) {
    const file = join(room.home, 'notes.txt')
    writeFileSync(
      file,
      Array.from({ length: 90 }, (_, at) => `Line ${at + 1} says something of its own.\n`).join(''),
    )
    const model = spawn(process.execPath, [fakeModel, file], { stdio: ['ignore', 'pipe', 'inherit'] })
    try {
      const [baseUrl] = (await once(createInterface({ input: model.stdout }), 'line')) as [string]
      const fake = { kind: 'model', provider: 'openai-compatible', model: 'fake', baseUrl }
      writeFileSync(join(room.home, 'data', 'dragoman.json'), JSON.stringify({ agents: { fake } }))
      await room.restart()
      await play(room)
    } finally {
      model.kill()
    }
  },
})

/** Opens the context beside a session. */
async function openContext(page: Page) {
  await page.getByRole('button', { name: 'Work log, context and inspector' }).click()
  await page.getByRole('tab', { name: 'Context' }).click()
  return page.getByRole('region', { name: 'Context' })
}

/** Confirms a dialog. */
const confirm = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click()

/** The context that an agent receives. */
export const context: Scenarios = {
  'savings are shown with their reason, and a restored part is sent in full again': withModel(async room => {
    const { client } = room
    const { id: session } = await client.call('createSession', { body: { agent: 'fake' } })
    const page = await openSession(room, session)
    await sendPrompt(page, 'Read the file.')
    await untilIdle(room, session)
    const panel = await openContext(page)
    await panel.getByText('the same lines are sent elsewhere').waitFor()
    await panel.getByText(/Saved so far: .* tokens in 3 requests/).waitFor()
    await panel.getByRole('button', { name: 'Show original' }).click()
    await panel.getByRole('group', { name: 'Original' }).getByText('Line 7 says something').waitFor()
    await panel.getByRole('button', { name: 'Restore original' }).click()
    await page.getByRole('textbox', { name: /^Reason/ }).fill('I want to see it')
    await confirm(page, 'Restore')
    await page.getByText('Undid 1 change.').waitFor()
    await panel.getByRole('tab', { name: 'Audit' }).click()
    await panel.getByText('Undid 1 change').waitFor()
    await panel.getByText('I want to see it').waitFor()
    const { manipulations } = await client.call('GET /api/sessions/:session/manipulations', {
      params: { session },
    })
    const duplicate = manipulations.find(({ strategy }) => strategy === 'duplicate')
    assert.equal(duplicate?.holds, false)
    assert.deepEqual(manipulations.at(-1)?.manipulations, [duplicate.id])
    await sendPrompt(page, 'Again.')
    await untilIdle(room, session)
    const { parts } = await client.call('GET /api/sessions/:session/context', { params: { session } })
    assert.ok(
      parts.every(({ manipulation }) => manipulation !== duplicate.id),
      'it is left out again',
    )
  }),
  'an archived turn is restored by hand or by undo': {
    pace: '0',
    async play(room) {
      const session = await scriptedSession(room, [words('Yes.')])
      const page = await openSession(room, session)
      await sendPrompt(page, 'Is it so?')
      await untilIdle(room, session)
      const panel = await openContext(page)
      await panel.getByRole('tab', { name: 'Turns' }).click()
      const standing = (word: string) => panel.getByRole('listitem').getByText(word, { exact: true })
      const change = async (deed: string) => {
        await panel.getByRole('button', { name: 'Change the context' }).click()
        await page.getByRole('menuitem', { name: deed, exact: true }).click()
        await confirm(page, deed)
      }
      const validity = async () => {
        const { interactions } = await room.client.call('GET /api/sessions/:session/interactions', {
          params: { session },
        })
        return interactions[0]?.validity
      }
      await standing('Active').waitFor()
      await change('Archive')
      await standing('Archived').waitFor()
      await transcript(page).getByText('Archived').first().waitFor()
      assert.equal(await validity(), 'archived')
      await change('Restore')
      await standing('Active').waitFor()
      assert.equal(await validity(), 'active')
      await change('Mark as outdated')
      const toast = page.getByText('Marked as outdated.').locator('..')
      // A hovered toast stays until the user acts.
      await toast.hover()
      await standing('Outdated').waitFor()
      await toast.getByRole('button', { name: 'Undo' }).click()
      await standing('Active').waitFor()
      assert.equal(await validity(), 'active')
    },
  },
  'a session branches at a message, the branches link to each other, and one is merged into the other': {
    pace: '0',
    async play(room) {
      const session = await scriptedSession(room, [words('The first answer.')], [words('The second answer.')])
      const page = await openSession(room, session)
      await sendPrompt(page, 'How does it begin?')
      await untilIdle(room, session)
      // At the first prompt, a branch repeats it; at an answer, the branch continues from there.
      const forks = transcript(page).getByRole('button', { name: 'Branch from here' })
      await forks.nth(1).click()
      await page.waitForURL(address => !address.pathname.includes(session))
      await transcript(page).getByText('The first answer.').waitFor()
      await sendPrompt(page, 'How does it end?')
      await transcript(page).getByText('How does it end?').waitFor()
      await forks.nth(3).waitFor()
      const fork = decodeURIComponent(page.url().split('/').at(-1) ?? '')
      await untilIdle(room, fork)
      const panel = await openContext(page)
      await panel.getByRole('tab', { name: 'Branches' }).click()
      const branches = panel.getByRole('navigation', { name: 'Branches' }).getByRole('listitem')
      await branches.nth(1).waitFor()
      await branches.filter({ hasNotText: 'This session' }).getByRole('link').click()
      await page.waitForURL(address => address.pathname.includes(session))
      await transcript(page).getByText('How does it end?').waitFor({ state: 'detached' })
      await transcript(page).getByText('The first answer.').waitFor()
      await branches.filter({ hasNotText: 'This session' }).getByRole('button', { name: 'Merge' }).click()
      await confirm(page, 'Merge')
      await page.getByText('Merged 1 turn.').waitFor()
      await transcript(page).getByText('How does it end?').waitFor()
    },
  },
  'a handover to another agent is marked in the transcript': withModel(async room => {
    const session = await scriptedSession(room, [words('I was the first.')])
    const page = await openSession(room, session)
    await sendPrompt(page, 'Who are you?')
    await untilIdle(room, session)
    await page.getByRole('button', { name: 'Session actions' }).click()
    await page.getByRole('menuitem', { name: 'Move to another agent' }).click()
    await page.getByRole('radio', { name: /fake/ }).check()
    await confirm(page, 'Move')
    await page.getByText('The next prompt goes to the other agent.').waitFor()
    await sendPrompt(page, 'And you?')
    await transcript(page).getByText('Moved from Scripted agent').waitFor()
    await transcript(page).getByText('I have read it twice.').waitFor()
    await page.reload()
    await transcript(page).getByText('Moved from Scripted agent').waitFor()
  }),
}
