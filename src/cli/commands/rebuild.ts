import { compareTranslations, type Difference } from '../../sessions/view/compare-translations.ts'
import type { ReadAgain } from '../../sessions/view/retranslate.ts'
import type { ThreadChunk } from '../../protocol/chunk.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { defineCommand } from '../command.ts'
import { readConfiguration } from '../configuration/configuration.ts'
import { folderFlags } from '../configuration/flags.ts'
import { openSessionsApi } from '../sessions-api/open-sessions-api.ts'
import { readAgain } from '../sessions-api/read-again.ts'
import { requireFolder } from '../sessions-api/require-folder.ts'
import { findSession } from '../find-session.ts'
import { counted } from '../terminal/amounts.ts'
import { inertLine } from '../terminal/inert.ts'
import { createProgressBar, type ProgressBar } from '../terminal/progress-bar.ts'
import { jsonLine } from '../terminal/json-line.ts'

/** Translates a session again and shows what differs. */
export const rebuild = defineCommand({
  name: 'rebuild',
  operands: ['SESSION'],
  about: `
Translates every native message of a session with the current translators, and shows where the result
differs from the saved chunks. Changes nothing. Exits with 0 even if there are differences.
With --json, each difference is a line {"seq", "stored", "now"}.`,
  flags: folderFlags,
  async run({ flags, operands }, shell) {
    const configuration = readConfiguration(flags, shell)
    requireFolder(configuration)
    await using api = await openSessionsApi('rebuild', configuration, shell)
    const session = await findSession(api, operands[0] ?? '')
    const { out } = shell
    const entries = await api.head(session)
    using bar = createProgressBar(shell.err, 'Rebuilding')
    let differences = 0
    for await (const difference of compareTranslations(
      watched(await readAgain(api, configuration), entries, bar),
      session,
    )) {
      differences += 1
      out.write(flags.json === true ? jsonLine(difference) : differenceText(difference))
      await out.drained()
    }
    bar[Symbol.dispose]()
    if (flags.json !== true) out.write(endText(differences, entries))
    return 0
  },
})

/** What a retranslation needs, with a progress report. */
function watched({ agents, journal }: ReadAgain, entries: number, bar: ProgressBar): ReadAgain {
  const read = (session: SessionId, after: number, limit: number) => {
    bar.show(after / entries)
    return journal.read(session, after, limit)
  }
  return { agents, journal: { ...journal, read } }
}

function differenceText({ seq, stored, now }: Difference): string {
  const lines = (mark: string, chunks: readonly ThreadChunk[], others: readonly ThreadChunk[]) => {
    const known = new Set(others.map(each => JSON.stringify(each)))
    const own = chunks.map(each => JSON.stringify(each)).filter(each => !known.has(each))
    return own.map(each => `  ${mark} ${inertLine(each)}\n`).join('')
  }
  return `entry ${seq}:\n${lines('-', stored, now) + lines('+', now, stored) || '  the same chunks in a different order\n'}`
}

function endText(differences: number, entries: number): string {
  const all = counted(entries, 'entry', 'entries')
  return differences === 0
    ? `No differences: all ${all} translate as before.\n`
    : `${counted(differences, 'entry', 'entries')} of ${all} ${differences === 1 ? 'differs' : 'differ'}.\n`
}
