import type { Agent, Opening, Translation } from '../../agents/agent.ts'
import type { ThreadChunk } from '../../protocol/chunk.ts'
import type { Raw } from '../../protocol/event.ts'
import type { ConnectionId } from '../../protocol/ids.ts'
import type { Json } from '../../protocol/json.ts'
import { brokenTranslation } from './agent-contract.ts'

/** The state of a translation: one per connection, over the lines of both sides in the order of the journal. */
export interface TranslationState {
  readonly translator: Pick<Agent, 'initial' | 'translate'>
  readonly agent: Agent
  readonly connection: ConnectionId
  /** The state of the agent's translator. */
  readonly carried: unknown
  /** Whether a message of the main thread is open, so that a notice can be added to it. */
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
 * Translates one line. Pure. When the translator throws, only the chunks of that line are lost. A result that is not a translation
 * is an error.
 */
export function translateLine(
  state: TranslationState,
  from: 'agent' | 'host',
  line: Raw,
  parsed?: Json,
): LineTranslation {
  const { translator, agent, carried, open } = state
  let translation: Translation<unknown>
  try {
    const cut = line.rawFile === undefined ? {} : { cut: true }
    const known = parsed === undefined ? {} : { parsed }
    translation = translator.translate(carried, { from, text: line.raw, ...cut, ...known })
  } catch {
    return [state, open ? [notTranslated] : []]
  }
  if (!isTranslation(translation)) throw brokenTranslation(agent, translation)
  const [next, chunks] = translation
  return [{ ...state, carried: next, open: opens(chunks) ?? open }, chunks]
}

function isTranslation(result: unknown): boolean {
  const [, chunks] = Array.isArray(result) ? (result as unknown[]) : []
  return Array.isArray(chunks) && chunks.every(isThreadChunk)
}

function isThreadChunk(value: unknown): boolean {
  const { chunk } = (value ?? {}) as { readonly chunk?: { readonly type?: unknown } | null }
  return typeof chunk?.type === 'string'
}

function opens(chunks: readonly ThreadChunk[]): boolean | undefined {
  const last = chunks.findLast(
    ({ thread, chunk }) => thread === null && (chunk.type === 'start' || chunk.type === 'finish'),
  )
  return last && last.chunk.type === 'start'
}

/** It does not give the reason: that may differ between machines, and a replay must give the same chunks. */
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
