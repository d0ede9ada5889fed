import type { ToolFamily } from '../../protocol/known-tools.ts'
import type { Rendering } from '../../protocol/manipulation.ts'
import type { ParameterRule, SemanticRule, Strategy } from './strategy.ts'

const atBoundary: Rendering = { how: 'clear', moment: 'boundary' }
const keep: Rendering = { how: 'keep', moment: 'boundary' }
const inputAtBoundary: Rendering = { how: 'clear', what: 'input', moment: 'boundary' }

/** The file changed after it was read. The result stays: later edits need the text around the change. */
const stale: SemanticRule = {
  name: 'stale',
  owner: 'fs',
  effects: ['read'],
  match: 'same-resource',
  to: 'invalidated',
  rendering: keep,
  reason: 'the file was changed after this was read',
}

const worked: ParameterRule = {
  name: 'failed-then-worked',
  match: 'exact',
  before: 'failure',
  now: 'success',
  to: 'superseded',
  rendering: { ...atBoundary, keepFirst: 1 },
  reason: 'failed, worked later',
}

const again = (name: string, reason: string, rendering = atBoundary): ParameterRule => ({
  name,
  match: 'exact',
  to: 'superseded',
  rendering,
  reason,
})

const covered: ParameterRule = {
  name: 'covered',
  match: 'covering',
  families: ['read'],
  now: 'success',
  to: 'superseded',
  rendering: atBoundary,
  reason: 'read again later',
}

const writtenThenRead: ParameterRule = {
  name: 'written-then-read',
  match: 'covering',
  families: ['write'],
  now: 'success',
  to: 'superseded',
  rendering: inputAtBoundary,
  reason: 'the file was read later',
}

const aged: Strategy = {
  age: {
    name: 'aged',
    seconds: 30 * 60,
    to: 'invalidated',
    rendering: { how: 'clear', moment: 'pressure' },
    reason: 'older than 30 minutes',
  },
}

/** The default strategies for the usual coding tools of every agent. */
export const defaultStrategies: Readonly<Partial<Record<ToolFamily, Strategy>>> = {
  read: { parameters: [covered, writtenThenRead] },
  write: {
    parameters: [{ ...again('written-again', 'written again later', inputAtBoundary), now: 'success' }],
    invalidates: [stale],
  },
  edit: { parameters: [worked], invalidates: [stale] },
  todo: { parameters: [again('plan-updated', 'the plan was updated', { ...atBoundary, what: 'both' })] },
  run: { parameters: [again('ran-again', 'ran again later', { ...atBoundary, keepLast: 8 })] },
  search: { parameters: [again('searched-again', 'searched again later')] },
  list: { parameters: [again('listed-again', 'listed again later')] },
  fetch: aged,
  'web-search': aged,
}
