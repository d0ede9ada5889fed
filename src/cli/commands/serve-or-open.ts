import { createCaller } from '../../client/call.ts'
import { ownerOf } from '../../journal/sqlite/folder-lock.ts'
import { defineCommand } from '../command.ts'
import { readConfiguration } from '../configuration/configuration.ts'
import { findServer, tokenFile, type ServerPlace } from '../sessions-api/find-server.ts'
import { isReady } from '../sessions-api/is-ready.ts'
import { greetingText } from '../serve/greeting.ts'
import { openBrowser } from '../serve/open-browser.ts'
import type { Shell } from '../shell.ts'
import { jsonLine } from '../terminal/json-line.ts'
import { serve } from './serve.ts'

const answerMs = 10_000

/** What `dragoman` does without a command: it opens the server of the data folder, and starts it if it does not run. */
export const serveOrOpen = defineCommand({
  ...serve,
  async run(given, shell) {
    const { flags } = given
    const opening = flags['no-open'] === true ? { open: 'false' } : {}
    const { data, open } = readConfiguration({ ...flags, ...opening }, shell)
    const place = findServer(data)
    if (place === null || !(await isReady(place))) return serve.run(given, shell)
    await openRunning(place, data, { json: flags.json === true, open }, shell)
    return 0
  },
})

interface Wishes {
  readonly json: boolean
  readonly open: boolean
}

/** Prints a sign-in link of a running server, and opens it in the browser on a terminal. */
async function openRunning(
  place: ServerPlace,
  data: string,
  { json, open }: Wishes,
  { out, env }: Shell,
): Promise<void> {
  const caller = createCaller({ ...place, fetch: globalThis.fetch, timeoutMs: answerMs })
  const { url: address } = await caller.call('POST /api/tickets')
  const { url } = place
  const pid = ownerOf(data)?.pid
  const greeting = { url, address, data, tokenFile: tokenFile(data), wasRunning: true }
  out.write(
    json
      ? jsonLine({ url, address, pid, data, tokenFile: greeting.tokenFile })
      : greetingText(greeting, out.style),
  )
  if (open && out.isTerminal && !json) openBrowser(address, env)
}
