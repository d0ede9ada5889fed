import { parseArgs } from 'node:util'
import { chromium, type Browser } from 'playwright-core'
import { createChecks } from './checks.ts'
import { access } from './web/app/access.ts'
import { approving } from './web/app/approving.ts'
import { arranging } from './web/app/arranging.ts'
import { asking } from './web/app/asking.ts'
import { bringingIn } from './web/app/bringing-in.ts'
import { choosingOptions } from './web/app/choosing-options.ts'
import { composing } from './web/app/composing.ts'
import { finding } from './web/app/finding.ts'
import { firstSteps } from './web/app/first-steps.ts'
import { following } from './web/app/following.ts'
import { goingAway } from './web/app/going-away.ts'
import { ledger } from './web/app/ledger.ts'
import { layout } from './web/app/layout.ts'
import { large } from './web/app/large.ts'
import { manySessions } from './web/app/many-sessions.ts'
import { otherPort } from './web/app/other-port.ts'
import { hostileDiagrams } from './web/app/hostile-diagrams.ts'
import { quietConsole } from './web/app/quiet-console.ts'
import { reading } from './web/app/reading.ts'
import { openRoom } from './web/app/room.ts'
import { safety } from './web/app/safety.ts'
import type { Scenario } from './web/app/scenario.ts'
import { context } from './web/app/context.ts'
import { dashboard } from './web/app/dashboard.ts'
import { replaying } from './web/app/replaying.ts'
import { showing } from './web/app/showing.ts'
import { understanding } from './web/app/understanding.ts'
import { buildApp } from './web/build-app.ts'
import { findChromium } from './web/find-chromium.ts'
import { tryUseChat } from './web/use-chat.ts'

/*
 * A real browser against a real server: the app, and stock pages of the AI SDK.
 * npm run test:web -- [--only PART …] [--short] [--jobs N]
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    short: { type: 'boolean', default: false },
    jobs: { type: 'string', default: '2' },
  },
})
const isWanted = (name: string) => values.only.length === 0 || values.only.some(part => name.includes(part))
const { check, finish } = createChecks(25)

buildApp()
const launch = () =>
  chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    // A signal to the suite also ends the browser itself; otherwise a closed browser would look like a crash.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  })

async function play(browser: Browser, name: string, scenario: Scenario): Promise<void> {
  const begin = performance.now()
  const failure = await attempt(async () => {
    await using room = await openRoom(browser, scenario)
    await scenario.play(room)
  })
  check(failure === null, `${name} (${((performance.now() - begin) / 1000).toFixed(1)} s)${failure ?? ''}`)
}

/** Runs the remaining scenarios one after the other. A browser crash fails only the scenario it showed. */
async function playAll(queue: Iterable<readonly [string, Scenario]>): Promise<void> {
  let browser = await launch()
  for (const [name, scenario] of queue) {
    if (!browser.isConnected()) browser = await launch()
    await play(browser, name, scenario)
  }
  await browser.close()
}

async function attempt(work: () => Promise<void>): Promise<string | null> {
  try {
    await work()
    return null
  } catch (error) {
    return wordsOf(error)
  }
}

/** What went wrong while a room was closed must not hide what went wrong in it. */
const wordsOf = (error: unknown): string =>
  error instanceof SuppressedError
    ? `${wordsOf(error.suppressed)}${wordsOf(error.error)}`
    : `\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}`

const scenarios = Object.entries({
  ...firstSteps,
  ...bringingIn,
  ...choosingOptions,
  ...following,
  ...finding,
  ...reading,
  ...goingAway,
  ...composing,
  ...arranging,
  ...approving,
  ...asking,
  ...ledger,
  ...understanding,
  ...replaying,
  ...context,
  ...showing,
  ...layout,
  ...hostileDiagrams,
  ...quietConsole,
  ...dashboard,
  ...access,
  ...large,
  ...manySessions,
  ...safety,
  ...otherPort,
}).filter(([name, { isLong = false }]) => isWanted(name) && !(values.short && isLong))
const queue = scenarios.values()
await Promise.all(Array.from({ length: Number(values.jobs) }, () => playAll(queue)))
if (isWanted('useChat')) {
  const browser = await launch()
  await tryUseChat(browser, check)
  await browser.close()
}
finish('The web app and stock pages work')
