import type { Agent, Connection } from '../../agents/agent.ts'
import { DragomanError, isDragomanError } from '../../protocol/error.ts'
import type { SessionView } from '../view/session-view.ts'

/** The error for an agent that breaks the contract of `src/agents/agent.ts`. */
const brokenContract = ({ name }: Pick<Agent, 'name'>, fault: string): DragomanError =>
  new DragomanError('agent-unavailable', `The agent "${name}" does not work: ${fault}`, {
    brokenContract: true,
  })

/** Writes a fault in the agent's code to the log. Other errors appear only in the session. */
export function reportFault({ host, record }: Pick<SessionView, 'host' | 'record'>, error: unknown): void {
  if (isDragomanError(error) && error.details['brokenContract'] === true)
    host.report(error.message, record.session)
}

/** Throws when `connect` did not return a connection. */
export function checkConnection(agent: Pick<Agent, 'name'>, connection: Connection): Connection {
  const given = (connection ?? {}) as unknown as Readonly<Record<string | symbol, unknown>>
  const fault = (what: string) => brokenContract(agent, `"connect" returned an object whose ${what}.`)
  for (const name of ['messages', 'logs'])
    if (!isIterable(given[name])) throw fault(`"${name}" is not an async iterable`)
  for (const name of ['prompt', 'answer', 'interrupt', Symbol.asyncDispose])
    if (typeof given[name] !== 'function') throw fault(`${nameOf(name)} is not a function`)
  if (!(given['exit'] instanceof Promise)) throw fault('"exit" is not a promise')
  return connection
}

const isIterable = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value

const nameOf = (name: string | symbol) => (typeof name === 'string' ? `"${name}"` : '[Symbol.asyncDispose]')

/** The error for a message that is not `{ raw: string }`. */
export const brokenMessage = (agent: Pick<Agent, 'name'>, message: unknown): DragomanError =>
  brokenContract(agent, `"messages" gave ${shown(message)} where { "raw": "…" } was expected.`)

/** The error for a result of `translate` that is not a state and a list of chunks, each with its thread. */
export const brokenTranslation = (agent: Pick<Agent, 'name'>, result: unknown): DragomanError =>
  brokenContract(agent, `"translate" returned ${shown(result)} where [state, chunks] was expected.`)

const shownLength = 100

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length <= shownLength ? text : `${text.slice(0, shownLength)}…`
}
