import { createCaller } from '../../client/call.ts'
import { DragomanError } from '../../protocol/error.ts'
import { defineCommand } from '../command.ts'
import { readConfiguration } from '../configuration/configuration.ts'
import { folderFlags } from '../configuration/flags.ts'
import { findServer } from '../desk/find-server.ts'
import { requireFolder } from '../desk/require-folder.ts'
import { openBrowser } from '../serve/open-browser.ts'
import { jsonLine } from '../terminal/json-line.ts'

const answerMs = 10_000

/** Lets a browser in to the running server. */
export const open = defineCommand({
  name: 'open',
  operands: [],
  about: `
Prints an address of the running server that lets one browser in, once, within five minutes.
On a terminal it opens the browser, too.`,
  flags: {
    'sign-out': { type: 'boolean', help: 'sign out every browser first, and end all streams and sockets' },
    'no-open': { type: 'boolean', help: 'print the address only (DRAGOMAN_OPEN=false)' },
    ...folderFlags,
  },
  async run({ flags }, { out, env, ...shell }) {
    const configuration = readConfiguration(flags, { env, cwd: shell.cwd })
    requireFolder(configuration)
    const place = findServer(configuration.data)
    if (place === null)
      throw new DragomanError(
        'server-gone',
        `No server has the data folder ${configuration.data}. Start one with "dragoman serve".`,
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
