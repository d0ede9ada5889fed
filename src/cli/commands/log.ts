import type { WorkFilter } from '../../catalogue/list-work.ts'
import type { WorkLogEntry } from '../../projections/work-log/work-log-entry.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { readChoice } from '../arguments.ts'
import { defineCommand } from '../command.ts'
import { readConfiguration } from '../configuration/configuration.ts'
import { folderFlags } from '../configuration/flags.ts'
import type { SessionsApi } from '../sessions-api/sessions-api.ts'
import { openSessionsApi } from '../sessions-api/open-sessions-api.ts'
import { requireFolder } from '../sessions-api/require-folder.ts'
import { findSession } from '../find-session.ts'
import { showEntries } from '../show-entries.ts'
import { createWorkLogView, workLine } from '../work-log-view.ts'
import { jsonLine } from '../terminal/json-line.ts'

const outcomes = ['pending', 'success', 'failure', 'partial'] as const
const page = 1000

/** Shows the work log of a session. */
export const log = defineCommand({
  name: 'log',
  operands: ['SESSION'],
  about: `
Shows the work log of a session, one line per tool call: its first entry, its outcome and a summary.
With --follow, calls are shown as they finish, until Ctrl-C. A unique prefix of the session ID is enough.
For the details of one call: dragoman tail SESSION --after N --json, where N is its first entry minus one.`,
  flags: {
    follow: { type: 'boolean', help: 'wait for more, until Ctrl-C' },
    tool: {
      type: 'string',
      value: 'NAME',
      help: 'only this tool, or this kind of tool: read, edit, run, search …',
    },
    outcome: { type: 'string', value: outcomes.join('|'), help: 'only calls with this outcome' },
    interaction: { type: 'string', value: 'ID', help: 'only calls in this interaction' },
    ...folderFlags,
  },
  async run({ flags, operands }, shell) {
    const outcome = readChoice('log', 'outcome', flags.outcome, outcomes)
    const { tool, interaction, json = false, follow = false } = flags
    const filter = { ...(tool && { tool }), ...(interaction && { interaction }), ...(outcome && { outcome }) }
    const configuration = readConfiguration(flags, shell)
    requireFolder(configuration)
    await using api = await openSessionsApi('log', configuration, shell)
    const session = await findSession(api, operands[0] ?? '')
    const lineOf = (entry: WorkLogEntry) => (json ? jsonLine(entry) : workLine(entry, shell.out.style))
    if (follow) {
      const view = createWorkLogView(shell.out, filter, lineOf)
      await showEntries(api, session, { after: 0, view, raw: false, forever: true })
      return 0
    }
    for (const entries of (await readAll(api, session, filter)).toReversed())
      for (const entry of entries) {
        shell.out.write(lineOf(entry))
        await shell.out.drained()
      }
    return 0
  },
})

/** All pages of a work log, the newest first. */
async function readAll(api: SessionsApi, session: SessionId, filter: Omit<WorkFilter, 'limit' | 'cursor'>) {
  const pages: (readonly WorkLogEntry[])[] = []
  let cursor: string | null = null
  do {
    const asked: WorkFilter = { ...filter, limit: page, ...(cursor !== null && { cursor }) }
    const { entries, next } = await api.workLog(session, asked)
    pages.push(entries)
    cursor = next
  } while (cursor !== null)
  return pages
}
