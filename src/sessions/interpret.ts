import type { Agent, Opening, Translation } from '../agents/agent.ts'
import type { ThreadChunk } from '../protocol/chunk.ts'
import type { Raw } from '../protocol/event.ts'
import type { ConnectionId } from '../protocol/ids.ts'
import { checkTranslation } from './agent-contract.ts'

/** A translation under way: one per connection, over the lines of both sides in the order of the journal. */
export interface Interpreter {
  readonly translator: Pick<Agent, 'initial' | 'translate'>
  readonly agent: Agent
  readonly connection: ConnectionId
  readonly state: unknown
  /** Whether a message of the main thread is open, so that a notice has a place. */
  readonly open: boolean
}

/** What one line means, and the interpreter for the next. */
export type Interpretation = readonly [next: Interpreter, chunks: readonly ThreadChunk[]]

/** The interpreter of a new connection, or of a transcript that is read. */
export function createInterpreter(
  agent: Agent,
  connection: ConnectionId,
  { isRead = false, opening }: { readonly isRead?: boolean; readonly opening?: Opening | undefined } = {},
): Interpreter {
  const translator = (isRead ? agent.importer : undefined) ?? agent
  return { translator, agent, connection, state: translator.initial(connection, opening), open: false }
}

/**
 * Translates one line. Pure; a translator that throws loses the meaning of that line, never the session. One that returns
 * something else than a translation is refused.
 */
export function interpret(interpreter: Interpreter, from: 'agent' | 'host', line: Raw): Interpretation {
  const { translator, agent, state, open } = interpreter
  let translation: Translation<unknown>
  try {
    const cut = line.rawFile === undefined ? {} : { cut: true }
    translation = translator.translate(state, { from, text: line.raw, ...cut })
  } catch {
    return [interpreter, open ? [notTranslated] : []]
  }
  const [next, chunks] = checkTranslation(agent, translation)
  return [{ ...interpreter, state: next, open: opens(chunks) ?? open }, chunks]
}

function opens(chunks: readonly ThreadChunk[]): boolean | undefined {
  const last = chunks.findLast(
    ({ thread, chunk }) => thread === null && (chunk.type === 'start' || chunk.type === 'finish'),
  )
  return last && last.chunk.type === 'start'
}

/** It does not say what went wrong: those words may change with the machine, and a replay must not. */
const notTranslated: ThreadChunk = {
  thread: null,
  chunk: {
    type: 'data-notice',
    data: {
      level: 'error',
      code: 'not-translated',
      message: 'A message from the agent could not be translated. The original is saved.',
    },
  },
}
