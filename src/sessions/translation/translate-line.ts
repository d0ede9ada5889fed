import type { Agent, Opening, Translation } from '../../agents/agent.ts'
import type { ThreadChunk } from '../../protocol/chunk.ts'
import type { Raw } from '../../protocol/event.ts'
import type { ConnectionId } from '../../protocol/ids.ts'
import { checkTranslation } from './agent-contract.ts'

/** A translation under way: one per connection, over the lines of both sides in the order of the journal. */
export interface TranslationState {
  readonly translator: Pick<Agent, 'initial' | 'translate'>
  readonly agent: Agent
  readonly connection: ConnectionId
  /** What the agent's translator carries from line to line. */
  readonly carried: unknown
  /** Whether a message of the main thread is open, so that a notice has a place. */
  readonly open: boolean
}

/** The chunks of one line, and the state for the next. */
export type LineTranslation = readonly [next: TranslationState, chunks: readonly ThreadChunk[]]

/** The translation of a new connection, or of a transcript that is imported. */
export function beginTranslation(
  agent: Agent,
  connection: ConnectionId,
  { isRead = false, opening }: { readonly isRead?: boolean; readonly opening?: Opening | undefined } = {},
): TranslationState {
  const translator = (isRead ? agent.importer : undefined) ?? agent
  return { translator, agent, connection, carried: translator.initial(connection, opening), open: false }
}

/**
 * Translates one line. Pure. A translator that throws loses the meaning of that line, never the session. One that returns
 * anything but a translation is refused.
 */
export function translateLine(state: TranslationState, from: 'agent' | 'host', line: Raw): LineTranslation {
  const { translator, agent, carried, open } = state
  let translation: Translation<unknown>
  try {
    const cut = line.rawFile === undefined ? {} : { cut: true }
    translation = translator.translate(carried, { from, text: line.raw, ...cut })
  } catch {
    return [state, open ? [notTranslated] : []]
  }
  const [next, chunks] = checkTranslation(agent, translation)
  return [{ ...state, carried: next, open: opens(chunks) ?? open }, chunks]
}

function opens(chunks: readonly ThreadChunk[]): boolean | undefined {
  const last = chunks.findLast(
    ({ thread, chunk }) => thread === null && (chunk.type === 'start' || chunk.type === 'finish'),
  )
  return last && last.chunk.type === 'start'
}

/** It does not say what went wrong: the reason may differ from machine to machine, and a replay must not. */
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
