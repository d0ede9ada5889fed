import { numberOf, objectOf, textOf, type Fields } from '../kit/fields.ts'

/** A line of `opencode run --format json` as the equivalent event of the server. */
export function asEvent(line: Fields): Fields {
  const { sessionID = '', part, error } = line
  if (part !== undefined) return { type: 'message.part.updated', properties: { sessionID, part } }
  return error === undefined ? line : { type: 'session.error', properties: { sessionID, error } }
}

/** The last version of each part of an answer, by id; without prompts and what a fork copies. */
function partsIn(native: readonly Fields[]): readonly Fields[] {
  const others = new Set<string>()
  const parts = new Map<string, Fields>()
  let isAtWork = false
  for (const line of native) {
    const properties = objectOf(line, 'properties')
    const info = objectOf(properties, 'info')
    if (objectOf(properties, 'status')['type'] === 'busy') isAtWork = true
    const isCopy = !isAtWork && 'completed' in objectOf(info, 'time')
    if (info['role'] === 'user' || isCopy) others.add(textOf(info, 'id'))
    const part = objectOf(properties, 'part')
    const isAnswer = line['type'] === 'message.part.updated' && !others.has(textOf(part, 'messageID'))
    if (isAnswer) parts.set(textOf(part, 'id'), part)
  }
  return [...parts.values()]
}

/** The text of answers: each completed part, and the deltas of others that were not retracted. */
export function textsIn(native: readonly Fields[], type: 'text' | 'reasoning'): readonly string[] {
  const deltas = new Map<string, string>()
  for (const line of native) {
    const properties = objectOf(line, 'properties')
    const id = textOf(properties, 'partID')
    if (line['type'] === 'message.part.delta')
      deltas.set(id, (deltas.get(id) ?? '') + textOf(properties, 'delta'))
    if (objectOf(properties, 'status')['type'] === 'retry') deltas.clear()
  }
  return partsIn(native)
    .filter(part => part['type'] === type)
    .map(part => textOf(part, 'text') || (deltas.get(textOf(part, 'id')) ?? ''))
    .filter(text => text !== '')
}

/** The calls of answers, in their last version. */
export const callsIn = (native: readonly Fields[]): readonly Fields[] =>
  partsIn(native).filter(part => part['type'] === 'tool')

/** The usage of all steps, as we count it. */
export function spentIn(native: readonly Fields[]) {
  const steps = partsIn(native).filter(part => part['type'] === 'step-finish')
  const sum = (of: (tokens: Fields) => number) =>
    steps.reduce((all, step) => all + of(objectOf(step, 'tokens')), 0)
  return {
    input: sum(tokens => numberOf(tokens, 'input')),
    output: sum(tokens => numberOf(tokens, 'output') + numberOf(tokens, 'reasoning')),
    cacheRead: sum(tokens => numberOf(objectOf(tokens, 'cache'), 'read')),
    cacheWrite: sum(tokens => numberOf(objectOf(tokens, 'cache'), 'write')),
    cost: steps.reduce((all, step) => all + numberOf(step, 'cost'), 0),
  }
}
