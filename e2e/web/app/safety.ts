import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { Step } from '../../../src/agents/scripted/script.ts'
import { payloads } from '../../../web/src/safety/payloads.fixture.ts'
import {
  bundles,
  hostileApproval,
  hostileQuestion,
  hostileRest,
  hostileTools,
  hostileWords,
  marksOf,
} from './hostile-scripts.ts'
import type { Room } from './room.ts'
import type { Scenarios } from './scenario.ts'
import { dock, transcript, untilIdle } from './steps.ts'
import { walk } from './walk.ts'

/** Agent output stays text. */
export const safety: Scenarios = {
  'hostile text and thinking stay text, in the conversation, its panels and its replay': {
    pace: '0',
    async play(room) {
      const session = await hostileSession(room, hostileWords)
      const watch = await openWatched(room, `/s/${session}`)
      await watch.walk([...marksOf('text'), ...marksOf('thought')])
      await watch.panels()
      await watch.go(`/s/${session}/replay`)
      await watch.page.getByRole('slider').first().press('End')
      await transcript(watch.page).waitFor()
      await watch.walk([])
      await watch.finish()
    },
  },
  'hostile tools, files, outputs, errors, diffs and terminals stay text': {
    pace: '0',
    async play(room) {
      const session = await hostileSession(room, hostileTools)
      const watch = await openWatched(room, `/s/${session}`)
      const some = ['run', 'fail', 'bundle'].flatMap(place => marksOf(place, bundles.length))
      await watch.walk([...marksOf('tool'), ...marksOf('file'), ...some])
      await watch.panels()
      await watch.go('/dashboard?demo=1')
      await watch.walk([])
      await watch.finish()
    },
  },
  'hostile subagents, notices, pictures, plans, models and unknown lines stay text': {
    isLong: true,
    pace: '0',
    async play(room) {
      const session = await hostileSession(room, hostileRest)
      const watch = await openWatched(room, `/s/${session}`)
      await watch.page.getByRole('region', { name: 'Plan' }).getByRole('button').first().click()
      await watch.walk([...marksOf('sub'), ...marksOf('notice')])
      await watch.page.getByRole('button', { name: 'About this session' }).click()
      await watch.panels()
      await watch.go('/dashboard?demo=1')
      await watch.walk([])
      await watch.finish()
    },
  },
  'hostile approvals and questions stay text, pending and answered': {
    isLong: true,
    pace: '0',
    async play(room) {
      const asking = await hostileSession(room, hostileApproval, false)
      const watch = await openWatched(room, `/s/${asking}`)
      const question = dock(watch.page)
      await question.getByRole('button', { name: 'Allow', exact: true }).waitFor()
      await watch.walk([])
      await question.getByRole('button', { name: 'Edit…' }).click()
      await watch.walk([])
      const questions = await hostileSession(room, hostileQuestion, false)
      await watch.go(`/s/${questions}`)
      await question.getByRole('radio').first().waitFor()
      assert.equal(await question.getByRole('radio').count(), new Set(payloads).size)
      await watch.walk([])
      await watch.go('/approvals')
      await watch.walk([])
      for (const id of [asking, questions]) await deny(room, id)
      await watch.walk([])
      await watch.finish()
    },
  },
  'hostile titles and folders stay text in lists, searches and the palette': {
    pace: '0',
    async play(room) {
      let count = 0
      for (const payload of payloads) if (await named(room, payload)) count += 1
      assert.ok(count >= 100, `only ${count} titles were accepted`)
      const watch = await openWatched(room, '/')
      await watch.page.getByRole('navigation', { name: 'Sessions' }).getByRole('link').nth(5).waitFor()
      await watch.walk([], 'body')
      await watch.page.keyboard.press('Control+k')
      await watch.page.getByRole('option').nth(5).waitFor()
      await watch.walk([], 'dialog[open]')
      await watch.page.keyboard.press('Escape')
      await watch.page.keyboard.press('j')
      await watch.page.getByRole('heading', { level: 1 }).waitFor()
      await watch.walk([])
      await watch.finish()
    },
  },
}

/** A session whose agent follows a script. */
async function hostileSession(room: Room, steps: readonly Step[], isEnded = true): Promise<string> {
  const script = join(room.home, `script-${steps.length}.json`)
  writeFileSync(script, JSON.stringify(steps))
  const { id } = await room.client.createSession({ title: 'Hostile', options: { script } })
  await room.client.session(id).prompt(bundles.join('\n')).saved
  if (isEnded) await untilIdle(room, id, 120_000)
  return id
}

/** Denies every pending request, with all payloads as the reason. */
async function deny({ client }: Room, id: string): Promise<void> {
  const { approvals } = await client.call('listApprovals', { params: { session: id } })
  for (const { id: approval } of approvals)
    await client.session(id).answer(approval, { approved: false, reason: bundles.join('\n') })
}

/** Creates a session with a title and a folder, as far as the server allows the names. */
async function named({ client, home }: Room, payload: string): Promise<boolean> {
  const cwd = join(home, payload.replaceAll(/[/\0]/g, '∕').slice(0, 60))
  mkdirSync(cwd, { recursive: true })
  return await client.createSession({ title: payload, cwd }).then(
    () => true,
    () => false,
  )
}

/** A tab in which everything is written down that must not happen. */
async function openWatched(room: Room, path: string) {
  const page = await room.open('/')
  const troubles: string[] = []
  await page.addInitScript(() => {
    for (const name of ['alert', 'prompt', 'confirm', 'msgbox'])
      Object.assign(window, { [name]: () => Object.assign(window, { hacked: name }) })
  })
  page.on('dialog', dialog => void (troubles.push(`a dialog: ${dialog.message()}`), dialog.dismiss()))
  page.context().on('request', request => {
    if (!request.url().startsWith(`${room.server.url}/`) && !/^(?:data|blob):/.test(request.url()))
      troubles.push(`a request to ${request.url()}`)
  })
  page.on('framenavigated', frame => {
    if (!frame.url().startsWith(room.server.url) && frame.url() !== 'about:blank')
      troubles.push(`it went to ${frame.url()}`)
  })
  await page.setViewportSize({ width: 1280, height: 2400 })
  const go = async (to: string) => {
    await page.goto(`${room.server.url}${to}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    if (/^\/s\/[^/]+$/.test(to)) await transcript(page).locator('[data-row]').first().waitFor()
  }
  await go(path)
  return {
    page,
    go,
    walk: walkIn(page, troubles),
    panels: () => walkPanels(page, walkIn(page, troubles)),
    finish: () => finish(page, troubles),
  }
}

type Walk = (marks: readonly string[], within?: string) => Promise<void>

const walkIn =
  (page: Page, troubles: string[]): Walk =>
  async (marks, within) => {
    const seen = await walk(page, within)
    troubles.push(...seen.dangers)
    const missing = marks.filter(each => !seen.marks.includes(each))
    assert.equal(missing.length, 0, `these were not found: ${missing.slice(0, 20).join(', ')}`)
  }

async function walkPanels(page: Page, through: Walk): Promise<void> {
  for (const [key, tab] of [
    ['l', 'Work log'],
    ['x', 'Context'],
    ['r', 'Inspector'],
  ] as const) {
    await page.locator('main').press(key)
    await page.getByRole('tab', { name: tab, selected: true }).waitFor()
    await page.getByRole('tabpanel').getByText(/\S/).first().waitFor()
    await page
      .getByRole('tabpanel')
      .getByText(/^Loading /)
      .first()
      .waitFor({ state: 'hidden' })
    await through([], 'aside')
  }
}

async function finish(page: Page, troubles: readonly string[]): Promise<void> {
  for (const frame of page.frames()) {
    const isHacked = await frame
      .evaluate(() => 'hacked' in window)
      .catch((error: unknown) => {
        // Scrolling away removes a frame, even during a check.
        if (frame.isDetached()) return false
        throw error
      })
    assert.equal(isHacked, false, `a script ran in ${frame.url()}`)
  }
  assert.deepEqual([...new Set(troubles)], [])
}
