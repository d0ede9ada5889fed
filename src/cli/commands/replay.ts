import { replay as replaySession } from '../../sessions/view/replay.ts'
import type { Retranslated } from '../../sessions/view/retranslate.ts'
import type { Entry } from '../../protocol/entry.ts'
import { wrongUsage } from '../arguments.ts'
import { defineCommand } from '../command.ts'
import { readConfiguration } from '../configuration/configuration.ts'
import { folderFlags } from '../configuration/flags.ts'
import { openSessionsApi } from '../sessions-api/open-sessions-api.ts'
import { readAgain } from '../sessions-api/read-again.ts'
import { requireFolder } from '../sessions-api/require-folder.ts'
import { createJsonView, createTranscriptView } from '../entry-view.ts'
import { findSession } from '../find-session.ts'

/** Longer pauses are cut to this. */
const longestPause = 5000

/** Shows a session again, translated from its native lines. */
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
    await using api = await openSessionsApi('replay', configuration, shell)
    const session = await findSession(api, operands[0] ?? '')
    const view = flags.json === true ? createJsonView(shell.out) : createTranscriptView(shell.out)
    const options = { speed, longestPause, signal: new AbortController().signal }
    for await (const again of replaySession(await readAgain(api, configuration), session, options))
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

/** The entry with the new chunks. */
function renewed({ entry, chunks }: Retranslated): Entry {
  return 'chunks' in entry.event ? { ...entry, event: { ...entry.event, chunks } } : entry
}
