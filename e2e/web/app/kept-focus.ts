import { talkOf } from './looking.ts'
import { talkedSession } from './made-sessions.ts'
import type { Scenarios } from './scenario.ts'
import { scriptedSession, words } from './scripted.ts'
import { dock, messageBox, sendPrompt, transcript, untilFocused, untilIdle } from './steps.ts'

const still = { reducedMotion: 'reduce' } as const

/** Where the focus is after the focused element is removed or disabled. */
export const keptFocusScenarios: Scenarios = {
  'by keyboard: removing queued prompts moves the focus to the next one, then to the message': {
    pace: '0',
    async play(room) {
      const page = await room.open(`/s/${await talkOf(room, 'a hang')}`, still)
      await page.getByRole('button', { name: 'Stop' }).waitFor()
      const waiting = page.getByRole('region', { name: 'Queued prompts' }).getByRole('listitem')
      for (const prompt of ['one', 'two', 'three']) {
        await sendPrompt(page, prompt)
        await waiting.filter({ hasText: prompt }).waitFor()
      }
      const remove = (prompt: string) =>
        waiting
          .filter({ hasText: prompt })
          .getByRole('button', { name: 'Remove this prompt', disabled: false })
      await remove('three').waitFor()
      await remove('two').focus()
      for (const next of [remove('three'), remove('one'), messageBox(page)]) {
        await page.keyboard.press('Enter')
        await untilFocused(next)
      }
    },
  },
  'by keyboard: sessions are deleted and restored, and the focus is never lost': {
    pace: '0',
    async play(room) {
      const titles = ['The first', 'The second', 'The third']
      const ids = []
      for (const title of titles) ids.push(await talkedSession(room, 'hello', title))
      const page = await room.open(`/s/${ids[2]}`, still)
      const row = (title: string) => page.locator('nav a[data-session]').filter({ hasText: title })
      const undo = page.getByRole('status', { name: 'Notifications' }).getByRole('button', { name: 'Undo' })
      const chooseDelete = async () => {
        await page.keyboard.press('Enter')
        await page.locator('[role=menuitem]:focus').waitFor()
        await page.keyboard.press('End')
        await untilFocused(page.getByRole('menuitem', { name: 'Delete' }))
        await page.keyboard.press('Enter')
      }
      await row('The second').focus()
      await page.keyboard.press('ArrowRight')
      await chooseDelete()
      await untilFocused(row('The first'))
      await undo.focus()
      await page.keyboard.press('Enter')
      await untilFocused(row('The first'))
      await row('The second').waitFor()
      await page.locator('main').getByRole('button', { name: 'Session actions' }).focus()
      await chooseDelete()
      await untilFocused(page.locator('#main'))
      await page.getByRole('button', { name: 'Start a session' }).focus()
      await undo.focus()
      await page.keyboard.press('Enter')
      await page.waitForURL(`**/s/${ids[2]}`)
      await untilFocused(page.locator('#main'))
    },
  },
  'by keyboard: a link that disappears with its page leaves the focus and the shortcuts in the next page': {
    pace: '0',
    async play(room) {
      const long = Array.from({ length: 60 }, (_, at) => words(`Paragraph ${at + 1}.`))
      const session = await scriptedSession(room, long)
      await room.client.session(session).prompt('say much').saved
      await untilIdle(room, session)
      const page = await room.open('/', still)
      const link = page.locator(`main a[href="/s/${session}"]`)
      await link.focus()
      await page.keyboard.press('Enter')
      await transcript(page).getByText('Paragraph 60.').waitFor()
      await untilFocused(page.locator('#main'))
      await page.keyboard.press('Home')
      await transcript(page).getByText('Paragraph 1.').waitFor()
      await page.goBack()
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await untilFocused(page.locator('#main'))
    },
  },
  'by keyboard: the tour works, also while it waits for an answer and at its end': {
    pace: '0',
    async play(room) {
      const { id } = await room.client.createSession()
      const page = await room.open(`/s/${id}`, still)
      const visit = async (title: string, step: number) => {
        const tours = JSON.stringify({ [id]: { step, sent: [] } })
        await page.evaluate(kept => localStorage.setItem('dragoman:tours', kept), tours)
        await page.reload()
        return page.getByRole('region', { name: title, exact: true })
      }
      const searches = await visit('Searches', 6)
      await searches.getByRole('button', { name: 'Next' }).focus()
      await page.keyboard.press('Enter')
      const next = page.getByRole('region', { name: 'An approval' }).getByRole('button', { name: 'Next' })
      await dock(page).waitFor()
      await next.and(page.locator('[aria-disabled=true]')).waitFor()
      await untilFocused(next)
      await page.keyboard.press('Enter')
      await page.waitForTimeout(200)
      await untilFocused(next)
      const keys = await visit('Keyboard shortcuts', 26)
      await keys.getByRole('button', { name: 'Finish' }).focus()
      await page.keyboard.press('Enter')
      await keys.waitFor({ state: 'detached' })
      await untilFocused(messageBox(page))
    },
  },
}
