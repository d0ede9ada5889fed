import assert from 'node:assert/strict'
import type { Scenarios } from './scenario.ts'
import { until } from './looking.ts'
import { messageBox, newSession, sendPrompt, transcript, untilFocused, untilIdle } from './steps.ts'

/** What a newcomer does first. */
export const firstSteps: Scenarios = {
  'a new session with an empty form opens the composer': {
    async play(room) {
      const page = await room.open()
      const session = await newSession(page)
      await untilFocused(messageBox(page))
      const { agent, cwd } = await room.client.call('getSession', { params: { session } })
      assert.deepEqual([agent, cwd], ['scripted', room.home])
    },
  },
  'an answer streams in, and a reload in the middle shows the same': {
    async play(room) {
      const page = await room.open()
      const session = await newSession(page)
      await sendPrompt(page, 'a long answer')
      await transcript(page).getByText('a long answer').first().waitFor()
      await page.reload()
      await page.getByRole('button', { name: 'Stop' }).waitFor()
      await untilIdle(room, session)
      const { messages } = await room.client.call('listMessages', { params: { session } })
      const last = messages.at(-1)?.parts.findLast(({ type }) => type === 'text') as
        | { readonly text: string }
        | undefined
      const words = (last?.text ?? '').split(/\s+/).slice(-5).join(' ')
      await until(`the end is shown: ${words}`, async () =>
        (await transcript(page).innerText()).replaceAll(/\s+/g, ' ').includes(words),
      )
    },
  },
}
