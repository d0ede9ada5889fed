import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { faultOf } from './attacks/attack.ts'
import { attacksOnApprovals } from './attacks/approvals/on-approvals.ts'
import { pretendAgents, startElsewhere } from './attacks/approvals/pretend-agents.ts'
import { attacksOnEveryCall } from './attacks/on-every-call.ts'
import { attacksOnInput } from './attacks/on-input.ts'
import { attacksOnSockets } from './attacks/on-sockets.ts'
import { attacksOnDataFolder, startThief } from './attacks/on-the-data-folder.ts'
import { attacksOnTheDoor } from './attacks/on-the-door.ts'
import { send } from './attacks/send.ts'
import { honestJson, type Target } from './attacks/target.ts'
import { findPatterns } from './patterns/find-patterns.ts'
import { tryPatterns } from './patterns/try-patterns.ts'
import { startServer } from './server-process.ts'

// Everything that must be refused, tried on a real server while an honest session streams: each is refused with the right
// status and a sentence, nothing changes, and the honest session misses nothing.
const home = mkdtempSync(join(tmpdir(), 'dragoman-attacks-'))
const root = join(home, 'root')
mkdirSync(root)
const started = performance.now()
const failures: string[] = []
let count = 0
const tell = (name: string, fault: string | null) => {
  count += 1
  if (fault !== null) failures.push(`${name}: ${fault}`)
}

// Its default place: below a home in which sessions may work.
const data = join(root, '.local/share/dragoman')
await using thief = await startThief()
const env = pretendAgents(join(home, 'programs'))
await using elsewhere = await startElsewhere(join(home, 'programs'), root)
const config = join(home, 'settings.json')
writeFileSync(config, JSON.stringify({ agents: { ...thief.agents, ...elsewhere.agents } }))
const flags = ['--root', root, '--config', config]
await using server = await startServer({ data, home, flags, env })
const port = Number(new URL(server.url).port)
const target: Target = {
  port,
  token: server.token,
  cookie: await cookieOfBrowser(),
  session: 'honest',
  root,
}
const api = (method: string, path: string, body?: object) =>
  send(port, {
    method,
    path,
    headers: honestJson(target),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

await api('POST', '/api/sessions', { id: 'honest', agent: 'scripted', cwd: root })
await api('POST', '/api/sessions', { id: 'talking', agent: 'scripted', cwd: root })
await api('POST', '/api/sessions/talking/prompts', { text: 'a long answer' })
const before = await facts()

for (const attack of [...attacksOnEveryCall(target), ...attacksOnTheDoor(target), ...attacksOnInput(target)])
  tell(attack.name, faultOf(attack, await send(port, attack.shot)))
for (const attack of attacksOnSockets(target)) tell(attack.name, await attack.run())
for (const attack of attacksOnDataFolder({ data, root, token: server.token, api }))
  tell(attack.name, await attack.run())
for (const attack of attacksOnApprovals({ data, root, token: server.token, api }))
  tell(attack.name, await attack.run())
tell('a folder that is swapped for a link when it is used', await swapsFolder())
tell('the same ticket twice', await usesTicketTwice())
await triesEveryPattern()
tell('everything together', await nothingChanged())

rmSync(home, { recursive: true, force: true, maxRetries: 3 })
const seconds = ((performance.now() - started) / 1000).toFixed(1)
for (const failure of failures) console.log(`✗ ${failure}`)
console.log(`${count} attacks in ${seconds} s: ${count - failures.length} refused, ${failures.length} not`)
if (failures.length > 0) process.exitCode = 1

async function facts() {
  const { body: sessions } = await api('GET', '/api/sessions?limit=500')
  const { body: entries } = await api('GET', '/api/sessions/honest/entries')
  const ids = (JSON.parse(sessions) as { sessions: { id: string }[] }).sessions.map(({ id }) => id)
  return { ids: ids.toSorted().join(), head: (JSON.parse(entries) as { head: number }).head }
}

/** Between the making of a session and its first prompt its folder becomes a link to another. */
async function swapsFolder(): Promise<string | null> {
  const cwd = join(root, 'swapped')
  mkdirSync(cwd)
  await api('POST', '/api/sessions', { id: 'swapped', agent: 'scripted', cwd })
  renameSync(cwd, join(root, 'real'))
  symlinkSync('/etc', cwd)
  await api('POST', '/api/sessions/swapped/prompts', { text: 'hello' })
  for (let tries = 0; tries < 50; tries++) {
    const { body } = await api('GET', '/api/sessions/swapped')
    const { status } = JSON.parse(body) as { status: string }
    if (status === 'failed') break
    if (tries === 49) return `the session is ${status}`
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  const { body } = await api('GET', '/api/sessions/swapped/entries')
  await api('DELETE', '/api/sessions/swapped')
  return /agent-connected/.test(body) ? 'an agent was started there' : null
}

/** The cookie that a browser gets at sign-in, and then sends to every port of this machine. */
async function cookieOfBrowser(): Promise<string> {
  const host = `127.0.0.1:${port}`
  const headers = { host, authorization: `Bearer ${server.token}`, 'content-type': 'application/json' }
  const { body } = await send(port, { method: 'POST', path: '/api/tickets', headers, body: '{}' })
  const { ticket } = JSON.parse(body) as { ticket: string }
  const signedIn = await send(port, { method: 'GET', path: `/?ticket=${ticket}`, headers: { host } })
  return [signedIn.headers['set-cookie'] ?? ''].flat()[0]?.split(';')[0] ?? ''
}

async function usesTicketTwice(): Promise<string | null> {
  const { body } = await api('POST', '/api/tickets', {})
  const { ticket } = JSON.parse(body) as { ticket: string }
  const use = () =>
    send(port, { method: 'GET', path: `/?ticket=${ticket}`, headers: { host: `127.0.0.1:${port}` } })
  const [first, second] = [await use(), await use()]
  const [cookie = ''] = [first.headers['set-cookie'] ?? ''].flat()
  if (first.status !== 200 || !/HttpOnly/i.test(cookie) || !/SameSite=Strict/i.test(cookie))
    return `the first use gave ${first.status} and the cookie ${cookie}`
  return second.status === 401 || second.status === 403 ? null : `the second use gave ${second.status}`
}

async function nothingChanged(): Promise<string | null> {
  const after = await facts()
  if (after.ids !== before.ids) return `there are other sessions now: ${after.ids}`
  if (after.head !== before.head)
    return `the honest session grew from ${before.head} to ${after.head} entries`
  const { body } = await api('GET', '/api/sessions/talking/entries?limit=10000')
  const { entries } = JSON.parse(body) as { entries: { seq: number; event: { type: string } }[] }
  if (!entries.every(({ seq }, at) => seq === at + 1)) return 'the session that streamed has holes'
  const { status } = await send(port, {
    method: 'GET',
    path: '/livez',
    headers: { host: `127.0.0.1:${port}` },
  })
  return status === 200 ? null : `/livez says ${status}`
}

/** Each regular expression of the product gets hostile inputs: none may take more than linear time. */
async function triesEveryPattern(): Promise<void> {
  const { patterns } = findPatterns()
  for (const { at, fault } of await tryPatterns(patterns, { length: 16_000 }))
    tell(`hostile input for /${patterns[at]?.source}/ of ${patterns[at]?.place}`, fault)
}
