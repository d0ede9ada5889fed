import type { CommandOf } from '../../protocol/command.ts'
import { readWhole, wrongUsage } from '../arguments.ts'
import { defineCommand } from '../command.ts'
import { readConfiguration } from '../configuration/configuration.ts'
import { folderFlags } from '../configuration/flags.ts'
import { openDesk } from '../desk/open-desk.ts'
import { requireFolder } from '../desk/require-folder.ts'
import { findSession } from '../find-session.ts'
import { counted } from '../terminal/amounts.ts'
import { jsonLine } from '../terminal/json-line.ts'

/** Takes back what was done to the history. */
export const rollback = defineCommand({
  name: 'rollback',
  operands: ['SESSION', '[ID …]'],
  about: `
Takes back what was done to the history that a model gets, with all that followed from it. Nothing is lost by it: a
rollback can itself be taken back by its id. The ids are those of dragoman manipulations SESSION and dragoman context
SESSION. Instead of ids, one of --tool, --interaction and --after.`,
  flags: {
    tool: { type: 'string', value: 'NAME', help: 'all that this tool did' },
    interaction: { type: 'string', value: 'ID', help: 'all that is about this interaction' },
    after: { type: 'string', value: 'N', help: 'all that was done after this entry' },
    reason: { type: 'string', value: 'WORDS', help: 'why, for the audit' },
    ...folderFlags,
  },
  async run({ flags, operands }, shell) {
    const [given = '', ...ids] = operands
    const after = readWhole('rollback', 'after', flags.after)
    const { tool, interaction, reason } = flags
    const scopes: readonly Omit<CommandOf<'roll-back'>, 'type' | 'session'>[] = [
      ...(ids.length > 0 ? [{ manipulations: ids }] : []),
      ...(tool === undefined ? [] : [{ tool }]),
      ...(interaction === undefined ? [] : [{ interaction }]),
      ...(after === undefined ? [] : [{ after }]),
    ]
    const [scope, second] = scopes
    if (scope === undefined || second !== undefined)
      throw wrongUsage('rollback', 'Say what to take back: ids, or one of --tool, --interaction and --after.')
    const configuration = readConfiguration(flags, shell)
    requireFolder(configuration)
    await using desk = await openDesk('rollback', configuration, shell)
    const session = await findSession(desk, given)
    const done = await desk.rollBack({ type: 'roll-back', session, ...scope, ...(reason && { reason }) })
    if (flags.json === true) shell.out.write(jsonLine(done))
    else if (done.rollback === null) shell.out.write('Nothing of it holds any more, so nothing was done.\n')
    else
      shell.out.write(
        `Took back ${counted(done.manipulations.length, 'change')}. Rules now leave these parts alone. To have it again: dragoman rollback ${session} ${done.rollback}\n`,
      )
    return 0
  },
})
