import type { RawMessage } from '../agent.ts'
import { listOf, objectOf, textOf, type Fields } from '../kit/fields.ts'
import { apply, inOrder, notice, remark, type Op } from '../kit/parts.ts'
import { getIn, setIn } from '../kit/persistent-map.ts'
import { unknownOf } from '../kit/parse-json.ts'
import { nativeSession, type State, type Step } from './state.ts'
import { placed } from './subagents.ts'
import { applyTool } from './tools.ts'
import { atWork, stepFinished, stepStarted } from './turns.ts'
import { applyTextPart } from './text.ts'

type Meaning = (state: State, sessionID: string, part: Fields) => Step

const nothing: Meaning = state => [state, []]

const meanings: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ['text', (state, sessionID, part) => applyTextPart(state, sessionID, part, 'text')],
  ['reasoning', (state, sessionID, part) => applyTextPart(state, sessionID, part, 'thinking')],
  ['tool', applyTool],
  ['step-start', (state, sessionID) => stepStarted(state, sessionID)],
  ['step-finish', stepFinished],
  ['patch', remarked(part => notice('info', 'patch', `Changed: ${namesIn(part, 'files')}`))],
  ['retry', nothing],
  ['snapshot', nothing],
  ['agent', nothing],
  [
    'subtask',
    remarked(part => notice('info', 'subtask', textOf(part, 'description') || textOf(part, 'prompt'))),
  ],
  ['file', applyFile],
  ['compaction', nothing],
])

function remarked(op: (part: Fields) => Op): Meaning {
  return (state, sessionID, part) => remark(state, nativeSession(state, sessionID).thread, [op(part)])
}

function namesIn(part: Fields, name: string): string {
  return listOf(part, name)
    .filter(each => typeof each === 'string')
    .join(', ')
}

/** A whole part of a message, in its current state or a slightly later one. */
export function applyPart(state: State, properties: Fields, raw: RawMessage): Step {
  const part = objectOf(properties, 'part')
  const sessionID = textOf(part, 'sessionID') || textOf(properties, 'sessionID')
  const here = placed(state, sessionID)
  const role = getIn(state.roles, textOf(part, 'messageID'))
  if (role === 'copy') return [here, []]
  if (role === 'user') return applyPromptPart(here, sessionID, part)
  const type = textOf(part, 'type')
  const meaning = meanings.get(type)
  const applyKind = (next: State) =>
    meaning ? meaning(next, sessionID, part) : unknownPart(next, sessionID, part, raw)
  const begun: Step = isLate(here, part) ? [here, []] : atWork(here, sessionID)
  return own.has(type) ? inOrder(begun, applyKind) : once(begun, part, applyKind)
}

/** Parts that grow are sent many times; each of the others counts once. */
const own = new Set(['text', 'reasoning', 'tool'])

function once(before: Step, part: Fields, applyKind: (state: State) => Step): Step {
  const id = textOf(part, 'id')
  return inOrder(before, state => {
    if (id !== '' && getIn(state.pieces, id)) return [state, []]
    return applyKind({ ...state, pieces: setIn(state.pieces, id, { kind: 'other', open: false }) })
  })
}

/** Whether a part began before, so that an update of it begins no new answer. */
function isLate(state: State, part: Fields): boolean {
  return !beginning.has(textOf(part, 'type')) || getIn(state.pieces, textOf(part, 'id')) !== undefined
}

/** Parts that may begin an answer, if no event reported that the session is at work. */
const beginning = new Set(['step-start', 'text', 'reasoning', 'tool'])

/** A part of a prompt. A person's text is saved when they send it; what OpenCode adds to it is shown. */
function applyPromptPart(state: State, sessionID: string, part: Fields): Step {
  const { thread } = nativeSession(state, sessionID)
  if (textOf(part, 'type') === 'compaction')
    return once([state, []], part, next => remark(next, thread, [summingUp]))
  if (part['synthetic'] !== true) return [state, []]
  return once([state, []], part, next =>
    remark(next, thread, [notice('info', 'synthetic', textOf(part, 'text'))]),
  )
}

const summingUp = notice('info', 'compacting', 'The conversation is being summed up to make room.')

function applyFile(state: State, sessionID: string, part: Fields): Step {
  const [url, mediaType] = [textOf(part, 'url'), textOf(part, 'mime')]
  if (url === '' || mediaType === '') return [state, []]
  return apply(state, nativeSession(state, sessionID), [
    { type: 'show', chunk: { type: 'file', url, mediaType } },
  ])
}

function unknownPart(state: State, sessionID: string, part: Fields, raw: RawMessage): Step {
  const { thread } = nativeSession(state, sessionID)
  return remark(state, thread, [unknownOf('opencode', `part ${textOf(part, 'type')}`, raw, part)])
}

/** A part is removed. */
export function partRemoved(state: State, properties: Fields): Step {
  const native = nativeSession(state, textOf(properties, 'sessionID'))
  const keys = [textOf(properties, 'partID')]
  return apply(state, native, [{ type: 'retract', keys }])
}
