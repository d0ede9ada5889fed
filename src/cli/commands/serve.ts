import { statSync } from 'node:fs'
import { homedir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { rawBytes } from '../../agents/kit/raw-bytes.ts'
import type { DragomanError } from '../../protocol/error.ts'
import { createDragoman, type Dragoman } from '../../server/create-dragoman.ts'
import { createLog } from '../../server/log.ts'
import { serve as listen } from '../../server/node/serve.ts'
import { agentNamed } from '../../sessions/find-agent.ts'
import { wait } from '../../sessions/wait.ts'
import type { SqliteStore } from '../../store/open-store.ts'
import { defineCommand } from '../command.ts'
import { readConfiguration } from '../configuration/configuration.ts'
import { folderFlags, runningFlags, servingFlags } from '../configuration/flags.ts'
import type { Configuration } from '../configuration/keys.ts'
import { agentFaults, agentsOf, loadedAgentsOf } from '../configured-agents.ts'
import { findSpoiled } from '../import/find-spoiled.ts'
import { preferencesIn } from '../preferences.ts'
import { tokenFile } from '../sessions-api/find-server.ts'
import { hasFolder } from '../sessions-api/require-folder.ts'
import { openOwnStore, sessionLimits } from '../open-local-store.ts'
import { choosePort, defaultPort } from '../serve/choose-port.ts'
import { greetingText, type Greeting } from '../serve/greeting.ts'
import { stopRequested } from '../serve/stop-request.ts'
import { createHumanLog } from '../serve/human-log.ts'
import { followingFile } from '../serve/following-file.ts'
import { keepToken } from '../serve/keep-token.ts'
import { signInSeed } from '../serve/sign-in-seed.ts'
import { openBrowser } from '../serve/open-browser.ts'
import { takeFolder } from '../serve/take-folder.ts'
import type { Shell } from '../shell.ts'
import { seldom } from '../terminal/seldom.ts'
import { inertJson, jsonLine } from '../terminal/json-line.ts'

/** Serves the sessions of a data folder. */
export const serve = defineCommand({
  name: 'serve',
  operands: [],
  about: `
Starts the server and the web app, and runs until Ctrl-C. Prints a one-time sign-in link for your browser.
Programs authenticate with the token in the data folder. While the server runs, other commands use it.
With --json, the first line is {"url", "address", "pid", "data", "tokenFile"}; "address" is the sign-in link.`,
  flags: { ...servingFlags, ...folderFlags, ...runningFlags },
  async run({ flags }, shell) {
    const opening = flags['no-open'] === true ? { open: 'false' } : {}
    const configuration = readConfiguration({ ...flags, ...opening }, shell)
    const { data, host, token, open } = configuration
    // In other commands, only the server may know the agent. Here, it must be known.
    const agents = await agentsOf(configuration)
    if (configuration.agent !== null)
      agentNamed(new Map(agents.map(agent => [agent.name, agent])), configuration.agent)
    hasFolder(data)
    const write = lineWriter(configuration, shell)
    const ended = stopRequested(shell)
    const log = createLog(write, { now: Date.now, secrets: () => [] })

    const port = await choosePort(configuration)
    if (await isCancelled(shell, ended)) return 0

    const warn = seldom((message, code: string) => log('warning', message, { code }))
    const onTrouble = ({ message, code }: DragomanError) => warn(message, code)
    await using store = await takeFolder(data, () => openOwnStore('serve', configuration, onTrouble))
    await using dragoman = await createServer(configuration, store, keepToken(data, token), write, shell)
    await using serving = await listen({ dragoman, host, port })
    if (configuration.port === null && serving.port !== defaultPort)
      log('warning', `Port ${defaultPort} is in use. Dragoman uses ${serving.port} instead.`)
    allowHosts(dragoman, configuration.allowHosts, serving.port)
    store.announce(serving.url)
    for (const fault of await agentFaults(configuration)) log('warning', fault)
    if (!isLoopback(host)) log('warning', exposed(host))
    if (isOpenToOthers(data))
      log('warning', `Other users can read ${data}. To prevent this, run: chmod 700 ${data}`)

    const { url } = serving
    const greeting = { url, address: dragoman.ticketUrl(url), data, tokenFile: tokenFile(data) }
    greet(greeting, shell, flags.json === true)
    if (open && shell.out.isTerminal && flags.json !== true) openBrowser(greeting.address, shell.env)
    const failure = await Promise.race([ended.then(() => null), store.broken])
    if (failure === null) return 0
    log('error', failure.message, { code: failure.code, cause: failure.cause })
    // Until then, readiness reports the reason.
    await wait(lastWordsMs)
    await serving[Symbol.asyncDispose]()
    // The store is not closed first: there is nothing left to save.
    return shell.exit(1)
  },
})

const lastWordsMs = 2000

/** Does what comes before serving. Whether the server was asked to stop meanwhile. */
async function isCancelled(shell: Shell, ended: Promise<void>): Promise<boolean> {
  const stop = new AbortController()
  const stopped = ended.then(() => stop.abort())
  return Promise.race([shell.beforeServing?.(stop.signal), stopped]).then(() => stop.signal.aborted)
}

const createServer = async (
  configuration: Configuration,
  store: SqliteStore,
  token: string,
  log: (line: string) => void,
  { cwd, env }: Shell,
): Promise<Dragoman> =>
  createDragoman({
    store,
    agents: await loadedAgentsOf(configuration),
    token,
    signInSeed: signInSeed(store.folder),
    ...(configuration.agent !== null && { defaultAgent: configuration.agent }),
    defaultFolder: cwd,
    web: env['DRAGOMAN_WEB'] || builtApp,
    roots: configuration.roots ?? [cwd, env['HOME'] || homedir()],
    sessionLimits: sessionLimits(configuration),
    routes: configuration.routes,
    ...(configuration.context !== null && { context: configuration.context }),
    preferences: preferencesIn(store.folder),
    strategies: configuration.strategies,
    prices: configuration.prices,
    log,
    rawBytes,
    importing: {
      env,
      findSpoiled,
      follow: configuration.followTranscripts ?? undefined,
      followingStore: followingFile(store.folder),
    },
  })

/** Where `npm run build:web` puts the app: beside this file's folder in the package, and in `dist` of a checkout. */
const builtApp = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../../dist/web' : '../../web', import.meta.url),
)

/** The log format. Default: text on a terminal, otherwise JSON. */
function lineWriter({ log }: Configuration, { err }: Shell): (line: string) => void {
  const kind = log ?? (err.isTerminal ? 'human' : 'json')
  return kind === 'human' ? createHumanLog(err) : line => err.write(inertJson(line))
}

function greet(greeting: Greeting, { out }: Shell, json: boolean): void {
  const { url, address, data, tokenFile: file } = greeting
  const line = { url, address, pid: process.pid, data, tokenFile: file }
  out.write(json ? jsonLine(line) : greetingText(greeting, out.style))
}

const isOpenToOthers = (folder: string) => (statSync(folder).mode & 0o077) !== 0

const exposed = (host: string) =>
  `Listening on ${host}: other machines can connect, and the traffic is not encrypted. ` +
  'Put a TLS proxy in front of it, or listen on 127.0.0.1 and use a tunnel.'

/** Accepts more host names: as given and, if a name has no port, also with the port of the server. */
function allowHosts({ inside }: Dragoman, names: readonly string[], port: number): void {
  const isWhole = (name: string) => /:\d+$/.test(name) && !name.endsWith(']')
  inside.guard.hosts.add(...names.flatMap(name => (isWhole(name) ? [name] : [name, `${name}:${port}`])))
}

/** Whether a name or address is a loopback address. */
const isLoopback = (host: string): boolean =>
  /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[?::1\]?)$/i.test(host)
