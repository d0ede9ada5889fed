import { rawBytes } from '../../agents/kit/raw-bytes.ts'
import { readWhole } from '../arguments.ts'
import { defineCommand } from '../command.ts'
import { readConfiguration } from '../configuration/configuration.ts'
import { folderFlags } from '../configuration/flags.ts'
import { openSessionsApi } from '../sessions-api/open-sessions-api.ts'
import { requireFolder } from '../sessions-api/require-folder.ts'
import { createJsonView, createRawView, createTranscriptView, type EntryView } from '../entry-view.ts'
import { findSession } from '../find-session.ts'
import { watchSilence, type SilenceWatch } from '../run/watch-silence.ts'
import { showEntries } from '../show-entries.ts'

/** Shows the entries of a session. */
export const tail = defineCommand({
  name: 'tail',
  operands: ['SESSION'],
  about: `
Shows the transcript of a session. Ends when the session is idle, unless --follow is given.
A unique prefix of the session ID is enough. --raw prints the lines that "dragoman translate" reads.
Without a running server, this command locks the data folder, so nothing new can arrive.`,
  flags: {
    follow: { type: 'boolean', help: 'wait for more, until Ctrl-C' },
    after: { type: 'string', value: 'N', help: 'only entries after this one' },
    raw: { type: 'boolean', help: 'only the native lines of the agent, byte for byte' },
    ...folderFlags,
  },
  async run({ flags, operands }, shell) {
    const after = readWhole('tail', 'after', flags.after) ?? 0
    const configuration = readConfiguration(flags, shell)
    requireFolder(configuration)
    await using api = await openSessionsApi('tail', configuration, shell)
    const session = await findSession(api, operands[0] ?? '')
    const raw = createRawView(shell.out, event => rawBytes(event, api.folder))
    const people = flags.json === true ? createJsonView(shell.out) : createTranscriptView(shell.out)
    using silence = watchSilence(sentence => shell.err.write(`${sentence}\n`), false)
    await showEntries(api, session, {
      after,
      view: watched(flags.raw === true ? raw : people, silence),
      raw: flags.raw === true || flags.json === true,
      forever: flags.follow === true,
    })
    return 0
  },
})

/** A view that also passes each entry to a watch. */
const watched = ({ show }: Pick<EntryView, 'show'>, silence: SilenceWatch): Pick<EntryView, 'show'> => ({
  show(entry) {
    silence.update([entry])
    return show(entry)
  },
})
