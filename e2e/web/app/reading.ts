import assert from 'node:assert/strict'
import type { Locator } from 'playwright-core'
import { createAxeLooks } from './accessible.ts'
import { isInView, until } from './looking.ts'
import { askingSession } from './made-sessions.ts'
import type { Room } from './room.ts'
import type { Scenarios } from './scenario.ts'
import { openSession, scriptedSession, words } from './scripted.ts'
import { dock, messageBox, transcript, untilIdle } from './steps.ts'

const call = (tool: string, input: Record<string, string>, error?: string) => ({
  tool,
  input,
  ...(error === undefined ? { output: 'ok' } : { error }),
})
const read = (file: string) => call('Read', { file_path: file })

/** Two turns: a short one, and one with a long run of steps; then a long answer. */
async function workedSession(room: Room): Promise<string> {
  const session = await scriptedSession(
    room,
    [words('The first answer.')],
    [
      words('I look.'),
      {
        type: 'tools',
        calls: [
          read('a.ts'),
          read('b.ts'),
          call('Edit', { file_path: '/src/a.ts', old_string: 'one', new_string: 'two' }),
          call('Bash', { command: 'npm test' }, 'The needle test failed.'),
          read('c.ts'),
        ],
      },
      words('It is done.'),
    ],
    [words(Array.from({ length: 200 }, (_, at) => `Paragraph ${at}.`).join('\n\n'))],
  )
  for (const prompt of ['Begin with this', 'Now do the work', 'Tell me more']) {
    await room.client.session(session).prompt(prompt).saved
    await untilIdle(room, session)
  }
  return session
}

/** Reading a long session. */
export const reading: Scenarios = {
  'a long run of steps folds into one line, and what is found in it opens it': {
    pace: '0',
    async play(room) {
      const session = await workedSession(room)
      const page = await openSession(room, session)
      await transcript(page).getByText('Paragraph 199.').waitFor()
      await transcript(page).focus()
      await page.keyboard.press('Home')
      const run = transcript(page).getByRole('button', { name: '5 steps' })
      await run.waitFor()
      const line = (await run.innerText()).replaceAll(/\s*·?\s+/g, ' ').trim()
      assert.match(line, /^5 steps 1 command 1 file changed 1 failure .*The needle test failed/)
      const failed = transcript(page).locator('[data-kind=tool]')
      assert.equal(await failed.count(), 0)
      const axe = createAxeLooks(page)
      await axe.look('a folded run of steps')
      await run.focus()
      await page.keyboard.press('Enter')
      await failed.first().waitFor()
      await page.keyboard.press('Enter')
      await until('the run is folded again', async () => (await failed.count()) === 0)
      await page.keyboard.press('Control+f')
      await page.keyboard.type('"needle test"')
      await page.getByRole('search', { name: 'Find in this session' }).getByText('1 of 1').waitFor()
      await until('the call is in view', () => isInView(page, 'The needle test failed.'))
      assert.equal(await run.getAttribute('aria-expanded'), 'true')
      axe.finish()
    },
  },
  'the outline leads to a prompt, and keys lead to failures, changes and the ends': {
    pace: '0',
    async play(room) {
      const session = await workedSession(room)
      const page = await openSession(room, session)
      await transcript(page).getByText('Paragraph 199.').waitFor()
      await transcript(page).focus()
      await page.keyboard.press('o')
      const outline = page.getByRole('navigation', { name: 'Outline' })
      const second = outline.getByRole('link', { name: 'Now do the work' })
      await second.getByText('1 change').waitFor()
      await second.getByText('1 failure').waitFor()
      assert.equal(await outline.getByRole('link').count(), 3)
      const axe = createAxeLooks(page)
      await axe.look('the outline')
      axe.finish()
      await second.click()
      await until('the prompt is in view', () => isInView(page, 'Now do the work'))
      await transcript(page).focus()
      await page.keyboard.press('Shift+G')
      await until('the end is in view', () => isInView(page, 'Paragraph 199.'))
      await page.keyboard.press('f')
      await until('the failure is in view', () => isInView(page, 'The needle test failed.'))
      await page.keyboard.press('Shift+D')
      await until('the change is in view', () => isInView(page, 'src/a.ts'))
      await page.keyboard.press('Shift+G')
      await until('the end is in view again', () => isInView(page, 'Paragraph 199.'))
      await page.keyboard.press('g')
      await page.keyboard.press('g')
      await until('the first prompt is in view', () => isInView(page, 'Begin with this'))
    },
  },
  'a low window keeps a third for the conversation while an approval is pending, and all columns are aligned':
    {
      async play(room) {
        const session = await askingSession(room, 'an approval', 'May it?')
        // As with scrollbars that take room.
        const page = await openSession(room, session, { bypassCSP: true })
        const allow = dock(page).getByRole('button', { name: 'Allow', exact: true })
        await allow.waitFor()
        await page.addStyleTag({ content: '::-webkit-scrollbar { width: 15px }' })
        for (const height of [500, 560, 800]) {
          await page.setViewportSize({ width: 1280, height })
          const shown = async () => (await transcript(page).boundingBox())?.height ?? 0
          await until('a third is left', async () => (await shown()) >= (height - 69) / 3)
          const box = await allow.boundingBox()
          assert.ok(box !== null && box.y + box.height <= height, `Allow is in view at ${height}`)
        }
        const [bar, room15] = await transcript(page).evaluate(log => [
          (log as HTMLElement).offsetWidth - log.clientWidth,
          15,
        ])
        assert.equal(bar, room15)
        const edges = async (each: Locator) => {
          const { x = 0, width = 0 } = (await each.boundingBox()) ?? {}
          return [Math.round(x), Math.round(x + width)]
        }
        const card = transcript(page).locator('[data-kind=tool] > *').first()
        assert.deepEqual(await edges(dock(page)), await edges(card))
        const composer = page
          .locator('form, div')
          .filter({ has: messageBox(page) })
          .last()
        assert.deepEqual(await edges(composer), await edges(card))
      },
    },
}
