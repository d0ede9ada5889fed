import type { CommandOf } from '../../protocol/command.ts'
import { readWhole, wrongUsage } from '../arguments.ts'
import { defineCommand } from '../command.ts'
import { readConfiguration } from '../configuration/configuration.ts'
import { folderFlags } from '../configuration/flags.ts'
import { openSessionsApi } from '../sessions-api/open-sessions-api.ts'
import { requireFolder } from '../sessions-api/require-folder.ts'
import { findSession } from '../find-session.ts'
import { counted } from '../terminal/amounts.ts'
import { jsonLine } from '../terminal/json-line.ts'

/** Undoes context changes. */
export const rollback = defineCommand({
  name: 'undo',
  operands: ['SESSION', '[ID …]'],
  about: `
Undoes context changes, and the changes that depend on them. Nothing is lost: you can redo them by passing the ID
that this command prints. To find the IDs, run "dragoman changes SESSION" or "dragoman context SESSION".
Instead of IDs, you can use one of --tool, --interaction and --after.`,
  flags: {
    tool: { type: 'string', value: 'NAME', help: 'every change made by this tool' },
    interaction: { type: 'string', value: 'ID', help: 'every change to this interaction' },
    after: { type: 'string', value: 'N', help: 'every change made after this entry' },
    reason: { type: 'string', value: 'WORDS', help: 'the reason, saved in the history of changes' },
    ...folderFlags,
  },
  async run({ flags, operands }, shell) {
    const [given = '', ...ids] = operands
    const after = readWhole('undo', 'after', flags.after)
    const { tool, interaction, reason } = flags
    const scopes: readonly Omit<CommandOf<'roll-back'>, 'type' | 'session'>[] = [
      ...(ids.length > 0 ? [{ manipulations: ids }] : []),
      ...(tool === undefined ? [] : [{ tool }]),
      ...(interaction === undefined ? [] : [{ interaction }]),
      ...(after === undefined ? [] : [{ after }]),
    ]
    const [scope, second] = scopes
    if (scope === undefined || second !== undefined)
      throw wrongUsage('undo', 'Choose what to undo: IDs, or one of --tool, --interaction and --after.')
    const configuration = readConfiguration(flags, shell)
    requireFolder(configuration)
    await using api = await openSessionsApi('undo', configuration, shell)
    const session = await findSession(api, given)
    const done = await api.rollBack({ type: 'roll-back', session, ...scope, ...(reason && { reason }) })
    if (flags.json === true) shell.out.write(jsonLine(done))
    else if (done.rollback === null) shell.out.write('Already undone.\n')
    else
      shell.out.write(
        `Undid ${counted(done.manipulations.length, 'change')}. Rules no longer change these parts. To redo: dragoman undo ${session} ${done.rollback}\n`,
      )
    return 0
  },
})
