import { rawBytes } from '../../agents/kit/raw-bytes.ts'
import { follow } from '../../journal/follow.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { readWhole } from '../arguments.ts'
import { defineCommand } from '../command.ts'
import { readConfiguration } from '../configuration/configuration.ts'
import { folderFlags } from '../configuration/keys.ts'
import { createJsonView, createRawView, createTranscriptView, type EntryView } from '../entry-view.ts'
import { findSession } from '../find-session.ts'
import { openHouse, type House } from '../open-house.ts'

/** Shows what happened in a session. */
export const tail = defineCommand({
  name: 'tail',
  operands: ['SESSION'],
  about: `
Shows what happened in a session. Ends when nothing runs in it, unless --follow is given.
The beginning of the session's id will do. --raw gives what dragoman translate reads.
One process at a time can use a data folder: nothing new comes while this one has it.`,
  flags: {
    follow: { type: 'boolean', help: 'wait for more, until Ctrl-C' },
    after: { type: 'string', value: 'N', help: 'only what came after this entry' },
    raw: { type: 'boolean', help: 'only the lines of the agent, byte for byte' },
    ...folderFlags,
  },
  async run({ flags, operands }, shell) {
    const after = readWhole('tail', 'after', flags.after) ?? 0
    await using house = await openHouse(readConfiguration(flags, shell))
    const session = await findSession(house, operands[0] ?? '')
    const raw = createRawView(shell.out, event => rawBytes(event, house.folder))
    const people = flags.json === true ? createJsonView(shell.out) : createTranscriptView(shell.out)
    await show(house, session, after, flags.raw === true ? raw : people, flags.follow === true)
    return 0
  },
})

async function show(house: House, session: SessionId, after: number, view: EntryView, forever: boolean) {
  const end = new AbortController()
  let seq = after
  let last = Number.POSITIVE_INFINITY
  const endWhenIdle = async () => {
    await house.sessions.whenIdle(session, end.signal)
    last = await house.journal.head(session)
    if (seq >= last) end.abort()
  }
  const waiting = forever ? Promise.resolve() : endWhenIdle()
  // Nothing else keeps the process waiting for entries that are yet to come.
  const staying = setInterval(() => {}, 60_000)
  for await (const entries of follow(house, session, after, { signal: end.signal })) {
    for (const entry of entries) await view.show(entry)
    seq = entries.at(-1)?.seq ?? seq
    if (seq >= last) break
  }
  clearInterval(staying)
  end.abort()
  await waiting
}
