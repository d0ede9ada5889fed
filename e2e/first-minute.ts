import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { createChecks } from './checks.ts'
import { inTerminal, openedLink } from './package/command-line.ts'
import { writeHome } from './package/home.ts'
import { openProject, root, type Project } from './package/project.ts'
import { findChromium } from './web/find-chromium.ts'
import { until } from './web/app/looking.ts'
import { signIn } from './web/app/room.ts'

// What a newcomer sees in the first minute: `npx` with the packed tarball, in a home folder that four agents have used for
// a year. The clock starts with npx, whose cache is warm. It needs the npm registry, a Chromium, and the program "script".
const { check, finish } = createChecks(20)
const limitMs = 60_000

/** The seconds since the clock started. */
type Clock = () => string

/** Imports all sessions with one click, and waits until one is on the screen. */
async function bringIn(page: Page, clock: Clock): Promise<void> {
  const section = page.getByRole('region', { name: 'Sessions on this machine' })
  await section.getByText('180 Claude Code sessions').waitFor()
  console.log(`  ${clock()} ${await section.getByRole('paragraph').first().innerText()}`)
  await section.getByRole('button', { name: 'Import 300 sessions' }).click()
  const rows = page.getByRole('navigation', { name: 'Sessions' }).getByRole('link')
  await until('sessions are listed', async () => (await rows.count()) > 5, limitMs)
  console.log(`  ${clock()} the first sessions are on the screen`)
  await section.getByText('Imported 300 sessions.').waitFor({ timeout: 5 * limitMs })
  console.log(`  ${clock()} all are imported`)
}

/** Finds a word in the middle of a tool output, and opens the session there. */
async function findWord(page: Page, word: string, clock: Clock): Promise<void> {
  const hit = page.getByRole('region', { name: 'Search results' }).getByRole('link')
  await page.getByRole('searchbox', { name: 'Search' }).fill(word)
  await hit
    .filter({ hasText: word })
    .first()
    .waitFor({ timeout: 5 * limitMs })
  console.log(`  ${clock()} the word is found`)
  await hit.first().click()
  await page.waitForURL(({ pathname }) => pathname.includes('/m/'))
}

/** Reads the total cost on the dashboard. */
async function readCost(page: Page, clock: Clock): Promise<string> {
  await page.goto(new URL('/dashboard', page.url()).href)
  const cost = page
    .locator('dl > div')
    .filter({ has: page.getByText('Cost', { exact: true }) })
    .first()
  await cost
    .getByText('$')
    .first()
    .waitFor({ timeout: 5 * limitMs })
  const text = (await cost.innerText()).replaceAll('\n', ' ')
  console.log(`  ${clock()} ${text}`)
  return text
}

/** The command of a newcomer, who has no dragoman but its tarball. */
function npxCommand({ tarball }: Project): string {
  const setting = (name: string) => execFileSync('npm', ['config', 'get', name], { encoding: 'utf8' }).trim()
  const settings = ['registry', 'cache'].map(name => `--${name}='${setting(name)}'`)
  return `npx --yes --prefer-offline ${settings.join(' ')} --package='${tarball}' dragoman --port 0`
}

async function play(project: Project, word: string): Promise<void> {
  const { folder } = project
  const browsed = join(folder, 'browsed')
  const command = npxCommand(project)
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  const began = performance.now()
  const clock = () => `${((performance.now() - began) / 1000).toFixed(1)} s`
  const server = inTerminal(project, browsed, command)
  try {
    const link = await openedLink(browsed, 2 * limitMs)
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await signIn(page, link.href)
    console.log(`  ${clock()} the app is open`)
    await bringIn(page, clock)
    await findWord(page, word, clock)
    const cost = await readCost(page, clock)
    const took = performance.now() - began
    check(/\$[1-9]/.test(cost), `the total cost is shown: ${cost}`)
    check(took <= limitMs, `history, search and cost within ${limitMs / 1000} s: ${clock()}`)
  } catch (error) {
    console.log(server.shown())
    throw error
  } finally {
    await browser.close()
    server.child.stdin?.write('\u0003')
    await server.ended
  }
}

{
  using project = openProject(check)
  mkdirSync(join(project.folder, 'bin'))
  const { agents, rareWord } = writeHome(project.env['HOME'] ?? '')
  for (const [agent, { sessions, bytes }] of Object.entries(agents))
    console.log(`  ${sessions} sessions of ${agent}, ${(bytes / 1e6).toFixed(0)} MB`)
  await project.checkRun(
    'the package can be packed',
    project.run('npm', 'pack', root, '--pack-destination', join(project.folder, '..')),
  )
  if (existsSync(project.tarball)) await play(project, rareWord)
}
finish('The first minute works')
