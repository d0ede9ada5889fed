import { rawBytes } from '../../agents/kit/raw-bytes.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { readWhole } from '../arguments.ts'
import { defineCommand } from '../command.ts'
import { readConfiguration } from '../configuration/configuration.ts'
import { folderFlags } from '../configuration/flags.ts'
import type { Desk } from '../desk/desk.ts'
import { openDesk } from '../desk/open-desk.ts'
import { requireFolder } from '../desk/require-folder.ts'
import { createJsonView, createRawView, createTranscriptView, type EntryView } from '../entry-view.ts'
import { findSession } from '../find-session.ts'

/** Shows what happened in a session. */
export const tail = defineCommand({
  name: 'tail',
  operands: ['SESSION'],
  about: `
Shows what happened in a session. Ends when nothing runs in it, unless --follow is given.
The beginning of the session's id will do. --raw gives what dragoman translate reads.
While no server has the data folder, this has it for itself, and nothing new comes.`,
  flags: {
    follow: { type: 'boolean', help: 'wait for more, until Ctrl-C' },
    after: { type: 'string', value: 'N', help: 'only what came after this entry' },
    raw: { type: 'boolean', help: 'only the lines of the agent, byte for byte' },
    ...folderFlags,
  },
  async run({ flags, operands }, shell) {
    const after = readWhole('tail', 'after', flags.after) ?? 0
    const configuration = readConfiguration(flags, shell)
    requireFolder(configuration)
    await using desk = await openDesk('tail', configuration, shell)
    const session = await findSession(desk, operands[0] ?? '')
    const raw = createRawView(shell.out, event => rawBytes(event, desk.folder))
    const people = flags.json === true ? createJsonView(shell.out) : createTranscriptView(shell.out)
    await show(desk, session, {
      after,
      view: flags.raw === true ? raw : people,
      raw: flags.raw === true || flags.json === true,
      forever: flags.follow === true,
    })
    return 0
  },
})

interface Wanted {
  readonly after: number
  readonly view: EntryView
  /** Whether the view shows native words. */
  readonly raw: boolean
  readonly forever: boolean
}

async function show(desk: Desk, session: SessionId, { after, view, raw, forever }: Wanted) {
  const end = new AbortController()
  let seq = after
  let last = Number.POSITIVE_INFINITY
  const endWhenIdle = async () => {
    await desk.whenIdle(session, end.signal)
    last = await desk.head(session)
    if (seq >= last) end.abort()
  }
  const waiting = (forever ? Promise.resolve() : endWhenIdle()).then(
    () => null,
    (error: unknown) => {
      end.abort()
      return error
    },
  )
  // Nothing else keeps the process waiting for entries that are yet to come.
  const staying = setInterval(() => {}, 60_000)
  const { signal } = end
  try {
    for await (const entries of desk.follow(session, after, { signal, raw, patient: forever })) {
      for (const entry of entries) await view.show(entry)
      seq = entries.at(-1)?.seq ?? seq
      if (seq >= last) break
    }
  } finally {
    clearInterval(staying)
    end.abort()
  }
  const failure = await waiting
  if (failure !== null) throw failure
}
