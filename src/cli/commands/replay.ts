import { replay as replaySession } from '../../sessions/view/replay.ts'
import type { Retranslated } from '../../sessions/view/retranslate.ts'
import type { Entry } from '../../protocol/entry.ts'
import { wrongUsage } from '../arguments.ts'
import { defineCommand } from '../command.ts'
import { readConfiguration } from '../configuration/configuration.ts'
import { folderFlags } from '../configuration/flags.ts'
import { openDesk } from '../desk/open-desk.ts'
import { readAgain } from '../desk/read-again.ts'
import { requireFolder } from '../desk/require-folder.ts'
import { createJsonView, createTranscriptView } from '../entry-view.ts'
import { findSession } from '../find-session.ts'

/** Longer pauses are cut to this. */
const longestPause = 5000

/** Shows a session again, from its native words. */
export const replay = defineCommand({
  name: 'replay',
  operands: ['SESSION'],
  about: `
Replays a session as it happened, translated again from the agent's native messages.
Pauses keep their original length, up to ${longestPause / 1000} s. Use --speed to shorten them.`,
  flags: {
    speed: { type: 'string', value: 'N', help: 'speed factor; 0 or "max" means without pauses' },
    ...folderFlags,
  },
  async run({ flags, operands }, shell) {
    const speed = readSpeed(flags.speed)
    const configuration = readConfiguration(flags, shell)
    requireFolder(configuration)
    await using desk = await openDesk('replay', configuration, shell)
    const session = await findSession(desk, operands[0] ?? '')
    const view = flags.json === true ? createJsonView(shell.out) : createTranscriptView(shell.out)
    const options = { speed, longestPause, signal: new AbortController().signal }
    for await (const again of replaySession(await readAgain(desk, configuration), session, options))
      await view.show(renewed(again))
    return 0
  },
})

function readSpeed(text = '1'): number {
  const speed = Number(text)
  if (text === 'max' || speed === 0) return Number.POSITIVE_INFINITY
  if (/^\d+(\.\d+)?$/.test(text)) return speed
  throw wrongUsage('replay', `--speed must be a number or "max", not "${text}".`)
}

/** The entry with the chunks that were made now. */
function renewed({ entry, chunks }: Retranslated): Entry {
  return 'chunks' in entry.event ? { ...entry, event: { ...entry.event, chunks } } : entry
}
