import { asObject, type Json } from '../../protocol/json.ts'
import type { RawMessage } from '../agent.ts'
import { listOf, objectOf, textOf, type Fields } from '../kit/fields.ts'
import { entriesIn, getIn } from '../kit/persistent-map.ts'
import { inOrder } from '../kit/parts.ts'
import { applyPart } from './parts.ts'
import { askPermission, questionAsked } from './questions.ts'
import { applyMessage } from './sessions.ts'
import type { State, Step } from './state.ts'
import { idle } from './turns.ts'

/**
 * What we requested because events were missed: stored messages, open questions, and which sessions are at work.
 * Known messages add nothing; partly known ones get the rest.
 */
export function reloaded(state: State, path: string, response: Json, raw: RawMessage): Step {
  const list = listOf({ response }, 'response').map(asObject)
  if (path.endsWith('/message')) return applyMessages(state, list, raw)
  if (path === '/permission')
    return inOrder([state, []], ...list.map(each => (next: State) => askPermission(next, each)))
  if (path === '/question')
    return inOrder([state, []], ...list.map(each => (next: State) => questionAsked(next, each)))
  if (path === '/session/status') return applyStatuses(state, asObject(response))
  return [state, []]
}

/** Messages from before this connection were translated when they happened. */
function applyMessages(state: State, messages: readonly Fields[], raw: RawMessage): Step {
  const begins = messages.findLastIndex(message => textOf(objectOf(message, 'info'), 'role') === 'user')
  const isOurs = (message: Fields, index: number) =>
    state.first === null ? index >= begins : textOf(objectOf(message, 'info'), 'id') >= state.first
  const steps = messages.filter(isOurs).flatMap(message => {
    const info = objectOf(message, 'info')
    const sessionID = textOf(info, 'sessionID')
    const parts = listOf(message, 'parts').map(asObject)
    return [
      (next: State) => applyMessage(next, { sessionID, info }),
      ...parts.map(part => (next: State) => partAgain(next, sessionID, part, raw)),
    ]
  })
  return inOrder([state, []], ...steps)
}

function partAgain(state: State, sessionID: string, part: Fields, raw: RawMessage): Step {
  const isOver = getIn(state.pieces, textOf(part, 'id'))?.open === false
  return isOver ? [state, []] : applyPart(state, { sessionID, part }, raw)
}

/** A session that is not at work any more became idle in the gap. */
function applyStatuses(state: State, statuses: Fields): Step {
  const over = [...entriesIn(state.sessions).values()].filter(({ id, running }) => {
    const type = textOf(objectOf(statuses, id), 'type')
    return running && type !== 'busy' && type !== 'retry'
  })
  return inOrder(
    [state, []],
    ...over.map(
      ({ id }) =>
        (next: State) =>
          idle(next, { sessionID: id }),
    ),
  )
}
