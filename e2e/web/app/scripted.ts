import type { Page } from 'playwright-core'
import type { Step } from '../../../src/agents/scripted/script.ts'
import type { Sent } from '../../../src/protocol/api/api.ts'
import type { Room } from './room.ts'
import { messageBox } from './steps.ts'

type Options = NonNullable<Sent<'createSession'>['body']['options']>

/** A session whose agent answers each prompt with steps of ours, one list for each; gives its id. */
export async function scriptedSession(room: Room, ...answers: readonly Step[][]): Promise<string> {
  const options = { script: { answers: [...answers] } } as Options
  const { id } = await room.client.call('createSession', { body: { agent: 'scripted', options } })
  return id
}

/** Opens a session in a tab of its own. */
export async function openSession(
  room: Room,
  session: string,
  options?: Parameters<Room['open']>[1],
): Promise<Page> {
  const page = await room.open(`/s/${encodeURIComponent(session)}`, options)
  await messageBox(page).waitFor()
  return page
}

/** A command that a person must allow. */
export const askToRun = (command: string): Step => ({
  type: 'approval',
  tool: 'Bash',
  input: { command },
  output: `${command} was run.`,
})

/** Asks about a call without waiting for the answer, so that several wait at once. */
export const askOnTheSide = (name: string): readonly Step[] =>
  [
    { type: 'call', call: `call-${name}`, tool: 'Bash' },
    { type: 'call-ready', call: `call-${name}`, tool: 'Bash', input: { command: `rm ${name}` } },
    { type: 'ask', call: `call-${name}`, approval: `approval-${name}` },
  ].map(line => ({ type: 'raw', text: JSON.stringify(line) }))

/** Some words. */
export const words = (text: string): Step => ({ type: 'text', text })
