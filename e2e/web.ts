import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { createChecks } from './checks.ts'
import { access } from './web/app/access.ts'
import { firstSteps } from './web/app/first-steps.ts'
import { openRoom } from './web/app/room.ts'
import type { Scenario } from './web/app/scenario.ts'
import { buildApp } from './web/build-app.ts'
import { findChromium } from './web/find-chromium.ts'
import { tryUseChat } from './web/use-chat.ts'

/*
 * A real browser against a real server: the app, and stock pages of the AI SDK.
 * npm run test:web -- [--only PART …] [--jobs N]
 */
const { values } = parseArgs({
  options: { only: { type: 'string', multiple: true, default: [] }, jobs: { type: 'string', default: '2' } },
})
const isWanted = (name: string) => values.only.length === 0 || values.only.some(part => name.includes(part))
const { check, finish } = createChecks(25)

buildApp()
const browser = await chromium.launch({
  executablePath: findChromium(),
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
})

async function play(name: string, { play: act, ...options }: Scenario): Promise<void> {
  const begin = performance.now()
  const failure = await attempt(async () => {
    await using room = await openRoom(browser, options)
    await act(room)
  })
  check(failure === null, `${name} (${((performance.now() - begin) / 1000).toFixed(1)} s)${failure ?? ''}`)
}

async function attempt(work: () => Promise<void>): Promise<string | null> {
  try {
    await work()
    return null
  } catch (error) {
    return `\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
  }
}

const scenarios = Object.entries({ ...firstSteps, ...access }).filter(([name]) => isWanted(name))
try {
  const queue = scenarios.values()
  const worker = async () => {
    for (const [name, scenario] of queue) await play(name, scenario)
  }
  await Promise.all(Array.from({ length: Number(values.jobs) }, worker))
  if (isWanted('useChat')) await tryUseChat(browser, check)
} finally {
  await browser.close()
}
finish('The web app and stock pages work')
