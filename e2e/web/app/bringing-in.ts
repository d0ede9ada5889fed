import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from './looking.ts'
import { transcript } from './steps.ts'
import type { Scenarios } from './scenario.ts'

/** Writes a transcript as Claude Code saves it in a home folder. */
function leave(home: string, session: string, text: string): void {
  const folder = join(home, '.claude/projects/-work')
  mkdirSync(folder, { recursive: true })
  const facts = { parentUuid: null, sessionId: session, cwd: home, timestamp: '2026-02-03T04:05:06.000Z' }
  const line = (type: string, content: string) => {
    const message = { id: `${type}-${session}`, role: type, content: [{ type: 'text', text: content }] }
    return `${JSON.stringify({ type, message, ...facts, uuid: `${type}-${session}` })}\n`
  }
  writeFileSync(join(folder, `${session}.jsonl`), line('user', text) + line('assistant', `Answer to ${text}`))
}

/** How sessions get here that ran elsewhere. */
export const bringingIn: Scenarios = {
  'what an agent saved on this machine is found on the start page and imported with one click': {
    async play(room) {
      const ids = ['11111111-2222-4333-8444-555555555555', '66666666-7777-4888-9999-000000000000']
      for (const [index, id] of ids.entries()) leave(room.home, id, `Question ${index}`)
      const page = await room.open()
      const section = page.getByRole('region', { name: 'Sessions on this machine' })
      await section.getByText('2 Claude Code sessions').waitFor()
      await section.getByRole('button', { name: 'Import 2 sessions' }).click()
      await section.getByText('Imported 2 sessions.').waitFor()
      const buttons = section.getByRole('button', { name: 'Import' })
      await until('nothing is left to import', async () => (await buttons.count()) === 0)
      await page.getByRole('navigation', { name: 'Sessions' }).getByText('Question 1').click()
      await transcript(page).getByText('Answer to Question 1').waitFor()
      const { sessions } = await room.client.call('listSessions')
      assert.deepEqual(sessions.map(({ id }) => id).toSorted(), ids)
    },
  },
  'after an import, what an agent writes in its own terminal appears by itself': {
    async play(room) {
      leave(room.home, '11111111-2222-4333-8444-555555555555', 'Question 0')
      const page = await room.open()
      const section = page.getByRole('region', { name: 'Sessions on this machine' })
      await section.getByRole('button', { name: 'Import 1 session' }).click()
      await section.getByText('Imported 1 session.').waitFor()
      leave(room.home, '66666666-7777-4888-9999-000000000000', 'Written later')
      const row = page.getByRole('navigation', { name: 'Sessions' }).getByText('Written later')
      await row.waitFor()
      await page.getByRole('navigation', { name: 'Sessions' }).getByText('In its terminal').waitFor()
      await row.click()
      await transcript(page).getByText('Answer to Written later').waitFor()
      await section.getByRole('button', { name: 'Stop following' }).waitFor({ state: 'detached' })
      await page.goBack()
      await section.getByRole('button', { name: 'Stop following' }).click()
      await section.getByRole('button', { name: 'Follow my agents' }).waitFor()
    },
  },
}
