import type { Page } from 'playwright-core'
import type { Step } from '../../../src/agents/scripted/script.ts'
import type { Sent } from '../../../src/protocol/api/api.ts'
import type { Room } from './room.ts'
import { messageBox } from './steps.ts'

type Options = NonNullable<Sent<'createSession'>['body']['options']>

/** A session whose agent answers each prompt with the given steps, one list for each; returns its ID. */
export async function scriptedSession(room: Room, ...answers: readonly Step[][]): Promise<string> {
  const options = { script: { answers: [...answers] } } as Options
  const { id } = await room.client.call('createSession', { body: { agent: 'scripted', options } })
  return id
}

/** Opens a session in its own tab. */
export async function openSession(
  room: Room,
  session: string,
  options?: Parameters<Room['open']>[1],
): Promise<Page> {
  const page = await room.open(`/s/${encodeURIComponent(session)}`, options)
  await messageBox(page).waitFor()
  return page
}

/** A command that needs approval. */
export const askToRun = (command: string): Step => ({
  type: 'approval',
  tool: 'Bash',
  input: { command },
  output: `${command} was run.`,
})

/** Asks for approval of a call without waiting for the answer, so that several are pending at once. */
export const askOnTheSide = (name: string): readonly Step[] =>
  [
    { type: 'call', call: `call-${name}`, tool: 'Bash' },
    { type: 'call-ready', call: `call-${name}`, tool: 'Bash', input: { command: `rm ${name}` } },
    { type: 'ask', call: `call-${name}`, approval: `approval-${name}` },
  ].map(line => ({ type: 'raw', text: JSON.stringify(line) }))

/** Some text. */
export const words = (text: string): Step => ({ type: 'text', text })
