import type { Agent, Connection, Translation } from '../../agents/agent.ts'
import { DragomanError, isDragomanError } from '../../protocol/error.ts'
import type { Raw } from '../../protocol/event.ts'
import type { SessionView } from '../view/session-view.ts'

/** The fault of an agent that does not keep to the contract of `src/agents/agent.ts`. */
export const brokenContract = ({ name }: Pick<Agent, 'name'>, fault: string): DragomanError =>
  new DragomanError('agent-unavailable', `The agent "${name}" does not work: ${fault}`, {
    brokenContract: true,
  })

/** Writes a fault in the agent's code to the log; other errors are told in the session only. */
export function reportFault({ host, record }: Pick<SessionView, 'host' | 'record'>, error: unknown): void {
  if (isDragomanError(error) && error.details['brokenContract'] === true)
    host.report(error.message, record.session)
}

/** Refuses what `connect` returned when it is not a connection. */
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

/** Refuses a message that is not `{ raw: string }`. */
export function checkRaw(agent: Pick<Agent, 'name'>, message: Raw): Raw {
  const given = message as Partial<Raw> | null | undefined
  if (typeof given?.raw === 'string') return message
  throw brokenContract(agent, `"messages" gave ${shown(message)} where { "raw": "…" } was expected.`)
}

/** Refuses what `translate` returned when it is not a state and a list of chunks, each with its thread. */
export function checkTranslation(
  agent: Pick<Agent, 'name'>,
  given: Translation<unknown>,
): Translation<unknown> {
  const [, chunks] = Array.isArray(given) ? (given as unknown[]) : []
  if (Array.isArray(chunks) && chunks.every(isThreadChunk)) return given
  throw brokenContract(agent, `"translate" returned ${shown(given)} where [state, chunks] was expected.`)
}

function isThreadChunk(value: unknown): boolean {
  const { chunk } = (value ?? {}) as { readonly chunk?: { readonly type?: unknown } | null }
  return typeof chunk?.type === 'string'
}

const shownLength = 100

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length <= shownLength ? text : `${text.slice(0, shownLength)}…`
}
