import { readChoice } from '../arguments.ts'
import { defineCommand } from '../command.ts'
import type { ManipulationFilter } from '../../catalogue/list-manipulations.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { readConfiguration } from '../configuration/configuration.ts'
import { folderFlags } from '../configuration/flags.ts'
import type { SessionsApi, Manipulation } from '../sessions-api/sessions-api.ts'
import { openSessionsApi } from '../sessions-api/open-sessions-api.ts'
import { requireFolder } from '../sessions-api/require-folder.ts'
import { findSession } from '../find-session.ts'
import type { Shell } from '../shell.ts'
import { counted } from '../terminal/amounts.ts'
import { inertLine } from '../terminal/inert.ts'
import { jsonLine } from '../terminal/json-line.ts'

const kinds = ['applied', 'rejected', 'rolled-back'] as const
const actors = ['tool', 'policy', 'person', 'model'] as const
const page = 1000

/** Lists context changes. */
export const manipulations = defineCommand({
  name: 'changes',
  operands: ['SESSION'],
  about: `
Lists context changes, oldest first: what is no longer sent to the model and why, which changes were refused,
and which were undone. A unique prefix of the session ID is enough. Undo one with: dragoman undo SESSION ID`,
  flags: {
    kind: { type: 'string', value: kinds.join('|'), help: 'only this kind of change' },
    actor: { type: 'string', value: actors.join('|'), help: 'only changes made by this kind of actor' },
    tool: { type: 'string', value: 'NAME', help: 'only changes made by this tool' },
    interaction: { type: 'string', value: 'ID', help: 'only changes to this interaction' },
    part: { type: 'string', value: 'NAME', help: 'only changes to this part' },
    ...folderFlags,
  },
  async run({ flags, operands }, shell) {
    const kind = readChoice('changes', 'kind', flags.kind, kinds)
    const actor = readChoice('changes', 'actor', flags.actor, actors)
    const { tool, interaction, part, json = false } = flags
    const filter = {
      ...(kind && { kind }),
      ...(actor && { actor }),
      ...(tool && { tool }),
      ...(interaction && { interaction }),
      ...(part && { part }),
    }
    const configuration = readConfiguration(flags, shell)
    requireFolder(configuration)
    await using api = await openSessionsApi('changes', configuration, shell)
    const session = await findSession(api, operands[0] ?? '')
    const found = await readAll(api, session, filter)
    for (const each of found) {
      shell.out.write(json ? jsonLine(each) : lineOf(each, shell.out))
      await shell.out.drained()
    }
    if (found.length === 0 && !json) shell.out.write('No context changes.\n')
    return 0
  },
})

async function readAll(
  api: SessionsApi,
  session: SessionId,
  filter: Omit<ManipulationFilter, 'limit' | 'before'>,
) {
  const found: Manipulation[] = []
  let before: number | null = null
  do {
    const asked: ManipulationFilter = { ...filter, limit: page, ...(before !== null && { before }) }
    const { manipulations: more, next } = await api.manipulations(session, asked)
    found.unshift(...more)
    before = next
  } while (before !== null)
  return found
}

/** One line each, of any length, so that the change and its reason are not cut. */
const lineOf = (each: Manipulation, { style }: Shell['out']): string => {
  const { seq, id, kind, holds, parts, actor, reason, refusal } = each
  const paint = kind === 'rejected' ? style.red : holds ? same : style.dim
  const by = actor.name === actor.kind ? actor.kind : `${actor.kind} ${actor.name}`
  const reach = parts.length === 0 ? '' : `, ${counted(parts.length, 'part')}`
  const why = inertLine(refusal?.why ?? reason)
  const name = id === null ? '' : ` ${style.dim(inertLine(id))}`
  return `${String(seq).padStart(5)}  ${paint(what(each))}${reach}, by ${inertLine(by)}: ${why}${name}\n`
}

const same = (text: string) => text

function what({ kind, strategy, to, holds, manipulations: taken }: Manipulation): string {
  if (kind === 'rolled-back') return `undid ${counted(taken.length, 'change')}${holds ? '' : ' (redone)'}`
  if (kind === 'rejected') return `refused: ${inertLine(strategy)}`
  return `${inertLine(strategy)} → ${to ?? 'shortened'}${holds ? '' : ' (undone)'}`
}
