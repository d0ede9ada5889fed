import { usageCsv, type Usage, type UsageQuery } from '../../client/usage/index.ts'
import { wait } from '../../sessions/wait.ts'
import { wrongUsage } from '../arguments.ts'
import { defineCommand } from '../command.ts'
import { readConfiguration } from '../configuration/configuration.ts'
import { folderFlags } from '../configuration/flags.ts'
import { openSessionsApi } from '../sessions-api/open-sessions-api.ts'
import { requireFolder } from '../sessions-api/require-folder.ts'
import { inert } from '../terminal/inert.ts'
import { jsonLine } from '../terminal/json-line.ts'
import { usageText } from '../usage-text.ts'

/** Shows what agents used, and what it cost. */
export const usage = defineCommand({
  name: 'usage',
  operands: [],
  about: `
Shows what agents used and what it cost, by day. A cost with "~" is estimated, at least in part.
Groups: day, hour, block (five hours), agent, model, folder, branch, session, interaction, tool, file, reason (of failed calls).
With --json, it prints the reply of GET /api/usage.`,
  flags: {
    by: { type: 'string', value: 'GROUPS', help: 'one or more groups, separated by commas (default: day)' },
    from: { type: 'string', value: 'DAY', help: 'from this day on, as in 2026-11-15' },
    to: { type: 'string', value: 'DAY', help: 'up to this day' },
    zone: {
      type: 'string',
      value: 'ZONE',
      help: 'the time zone (default: that of this machine)',
    },
    top: { type: 'string', value: 'N', help: 'only the N most expensive rows' },
    demo: { type: 'boolean', help: 'include demo sessions' },
    csv: { type: 'boolean', help: 'print comma-separated values' },
    ...folderFlags,
  },
  async run({ flags }, shell) {
    const { by = 'day', from, to, top, zone = ownZone(), demo, csv, json, ...settings } = flags
    if (csv === true && json === true) throw wrongUsage('usage', 'Choose --csv or --json.')
    const query: UsageQuery = {
      by,
      zone,
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
      ...(top !== undefined && { top }),
      ...(demo === true && { demo: '1' }),
    }
    const configuration = readConfiguration(settings, shell)
    requireFolder(configuration)
    await using api = await openSessionsApi('usage', configuration, shell)
    const found = await readAll(() => api.usage(query))
    if (json === true) shell.out.write(jsonLine(found))
    else if (csv === true) shell.out.write(shell.out.isTerminal ? inert(usageCsv(found)) : usageCsv(found))
    else shell.out.write(usageText(found, by.split(','), shell))
    return 0
  },
})

const ownZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone
const betweenMs = 200
const mostIdleLooks = 25

/** Reads until the sessions of an older version are counted, unless they cannot be. */
async function readAll(read: () => Promise<Usage>): Promise<Usage> {
  let found = await read()
  for (let looks = 0; found.unknown.waiting > 0 && looks < mostIdleLooks; looks += 1) {
    await wait(betweenMs)
    const next = await read()
    if (next.unknown.waiting < found.unknown.waiting) looks = 0
    found = next
  }
  return found
}
