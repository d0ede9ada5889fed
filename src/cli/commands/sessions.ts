import { readChoice, readWhole, wrongUsage } from '../arguments.ts'
import { defineCommand } from '../command.ts'
import { readConfiguration } from '../configuration/configuration.ts'
import { defaultFolder } from '../configuration/configuration.ts'
import { folderFlags } from '../configuration/flags.ts'
import type { Configuration } from '../configuration/keys.ts'
import type { Session, SessionFilter } from '../sessions-api/sessions-api.ts'
import { openSessionsApi } from '../sessions-api/open-sessions-api.ts'
import { hasFolder, requireFolder } from '../sessions-api/require-folder.ts'
import type { Shell } from '../shell.ts'
import { agoText, costText, countText } from '../terminal/amounts.ts'
import { inertLine } from '../terminal/inert.ts'
import { tableText, type Column } from '../terminal/table.ts'
import { jsonLine } from '../terminal/json-line.ts'

const statuses = ['idle', 'running', 'waiting', 'failed'] as const
const statusText = { idle: 'Done', running: 'Running', waiting: 'Waiting for approval', failed: 'Failed' }
const usualLimit = 50
const wideEnough = 110
const shortestId = 13

/** Lists sessions. */
export const sessions = defineCommand({
  name: 'sessions',
  operands: [],
  about: 'Lists sessions, newest first.',
  flags: {
    query: {
      type: 'string',
      value: 'WORDS',
      help: 'only sessions with this text in the title, folder or ID',
    },
    agent: { type: 'string', value: 'NAME', help: 'only sessions of this agent' },
    status: { type: 'string', value: statuses.join('|'), help: 'only sessions with this status' },
    all: { type: 'boolean', help: 'include archived sessions' },
    limit: { type: 'string', value: 'N', help: `how many to list (default: ${usualLimit})` },
    ...folderFlags,
  },
  async run({ flags }, shell) {
    const status = readChoice('sessions', 'status', flags.status, statuses)
    const limit = readWhole('sessions', 'limit', flags.limit) ?? usualLimit
    if (limit === 0) throw wrongUsage('sessions', '--limit must be 1 or more.')
    // Here, the agent is a filter and not a setting.
    const { agent, query, json, all, ...settings } = flags
    const filter = { ...(query && { query }), ...(agent && { agent }), ...(status && { status }) }
    const configuration = readConfiguration(settings, shell)
    const { found, more } = await list(configuration, shell, { ...filter, limit }, all === true)
    if (json === true) for (const each of found) shell.out.write(jsonLine(each))
    else shell.out.write(listText(found, more, Object.keys(filter).length > 0, shell))
    return 0
  },
})

async function list(
  configuration: Configuration,
  shell: Shell,
  filter: SessionFilter,
  archivedToo: boolean,
): Promise<{ readonly found: readonly Session[]; readonly more: boolean }> {
  // If the default folder does not exist yet, that is not an error.
  const isUsual = configuration.data === defaultFolder(shell.env)
  if (isUsual && !hasFolder(configuration.data)) return { found: [], more: false }
  requireFolder(configuration)
  await using api = await openSessionsApi('sessions', configuration, shell)
  const pages = await Promise.all(
    [false, ...(archivedToo ? [true] : [])].map(archived => api.list({ ...filter, archived })),
  )
  const merged = pages.flatMap(page => page.sessions).toSorted((a, b) => b.createdAt - a.createdAt)
  const more = merged.length > filter.limit || pages.some(({ next }) => next !== null)
  return { found: merged.slice(0, filter.limit), more }
}

function listText(found: readonly Session[], more: boolean, filtered: boolean, { out }: Shell): string {
  if (found.length === 0)
    return filtered
      ? 'No matching sessions. Try a shorter query, or --all to include archived sessions.\n'
      : 'No sessions yet. Try: dragoman run "show me everything"\n'
  const table = tableText(columnsAt(Date.now(), out, idLength(found, out)), found, {
    style: out.style,
    width: out.columns,
  })
  return more ? `${table}${out.style.dim('There are more. Use --limit to list them.')}\n` : table
}

/** On a narrow terminal, the shortest unique prefixes of the ids: every command accepts them. */
function idLength(found: readonly Session[], { columns }: Shell['out']): number {
  if (columns >= wideEnough) return Number.POSITIVE_INFINITY
  const ids = found.map(({ id }) => id)
  let length = shortestId
  while (new Set(ids.map(id => id.slice(0, length))).size < ids.length) length += 1
  return length
}

function columnsAt(now: number, { style }: Shell['out'], ofId: number): readonly Column<Session>[] {
  const paints = { idle: style.green, running: style.blue, waiting: style.yellow, failed: style.red }
  return [
    { title: 'session', text: ({ id }) => id.slice(0, ofId) },
    {
      title: 'status',
      text: ({ status, archived }) => (archived ? 'Archived' : statusText[status]),
      paint: ({ status, archived }, text) => (archived ? style.dim : paints[status])(text),
    },
    { title: 'agent', text: ({ agent }) => inertLine(agent) },
    {
      title: 'title',
      text: ({ title, pinned }) => `${pinned ? '★ ' : ''}${inertLine(title ?? '')}`,
      shrinks: true,
    },
    { title: 'cost', text: wholeCostText },
    { title: 'tokens', text: ({ tokens }) => tokensText(tokens) },
    { title: 'updated', text: ({ updatedAt }) => agoText(updatedAt, now) },
  ]
}

/** What agents reported and what is estimated, together; a sum with an estimate in it is marked. */
function wholeCostText({ cost, estimatedCost }: Session): string {
  if (cost === null && estimatedCost === undefined) return ''
  return `${estimatedCost === undefined ? '' : '~'}${costText((cost ?? 0) + (estimatedCost ?? 0))}`
}

const tokensText = ({ input, output, cacheRead, cacheWrite }: Session['tokens']) =>
  countText(input + output + cacheRead + cacheWrite)
