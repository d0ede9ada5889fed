import { createCaller } from '../../client/call.ts'
import { DragomanError } from '../../protocol/error.ts'
import { defineCommand } from '../command.ts'
import { readConfiguration } from '../configuration/configuration.ts'
import { folderFlags } from '../configuration/flags.ts'
import { findServer } from '../sessions-api/find-server.ts'
import { requireFolder } from '../sessions-api/require-folder.ts'
import { openBrowser } from '../serve/open-browser.ts'
import { jsonLine } from '../terminal/json-line.ts'

const answerMs = 10_000

/** Signs a browser in to the running server. */
export const open = defineCommand({
  name: 'open',
  operands: [],
  about: `
Prints a one-time sign-in link for the running server, valid for 5 minutes.
On a terminal, also opens it in your browser.`,
  flags: {
    'sign-out': { type: 'boolean', help: 'first sign out every browser and close all streams and sockets' },
    'no-open': { type: 'boolean', help: 'only print the link (DRAGOMAN_OPEN=false)' },
    ...folderFlags,
  },
  async run({ flags }, { out, env, ...shell }) {
    const configuration = readConfiguration(flags, { env, cwd: shell.cwd })
    requireFolder(configuration)
    const place = findServer(configuration.data)
    if (place === null)
      throw new DragomanError(
        'server-gone',
        `No server is running for the data folder ${configuration.data}. Start one with "dragoman serve".`,
      )
    const caller = createCaller({ ...place, fetch: globalThis.fetch, timeoutMs: answerMs })
    if (flags['sign-out'] === true) await caller.call('POST /api/sign-out')
    const { url, expiresAt } = await caller.call('POST /api/tickets')
    out.write(flags.json === true ? jsonLine({ url, expiresAt }) : `${url}\n`)
    const isWanted = flags['no-open'] !== true && configuration.open
    if (isWanted && out.isTerminal && flags.json !== true) openBrowser(url, env)
    return 0
  },
})
