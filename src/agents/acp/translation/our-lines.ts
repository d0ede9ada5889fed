import type { Json } from '../../../protocol/json.ts'
import { idWord, objectOf, textOf, type JsonObject } from '../messages.ts'
import { showTerminal } from './calls.ts'
import { beginAnswer } from './endings.ts'
import { notify } from './notices.ts'
import { applyOurAnswer } from './questions.ts'
import { reportSession } from './session-facts.ts'
import { inSession } from './sessions.ts'
import { change, changeSeldom, isAtWork, emit, type Draft } from './state.ts'
import { getIn } from '../../kit/persistent-map.ts'
import { changeTerminal } from './terminals.ts'
import { isLoading, loads } from './updates.ts'
import { noUsage, resumedUsage } from './usage.ts'

/** Applies a line that we sent: without it the agent's answers have no meaning. */
export function applyOurs(draft: Draft, line: JsonObject): void {
  const { id, method, params } = line
  if (draft.state.seldom.alone) meet(draft)
  if (typeof method !== 'string') return id === undefined ? undefined : applyOurReply(draft, id, line)
  if (id === undefined) return
  if (method === 'initialize') beginProcess(draft)
  const asked = new Map(draft.state.asked).set(idWord(id), { method, params: objectOf(params) })
  change(draft, { asked })
  if (loads(method)) beginLoad(draft, objectOf(params))
  if (method === 'session/new') applyLostSession(draft, objectOf(params))
  if (method === 'session/prompt') beginPrompt(draft, idWord(id))
}

/** From now on our prompts show which answers are expected, except for the first. */
function meet(draft: Draft): void {
  const { awaited, parts } = draft.state
  changeSeldom(draft, { alone: false })
  change(draft, { awaited: awaited && (getIn(parts.threads, null)?.last ?? null) === null })
}

/** A new process does not know the questions of the previous one, and owes no answer. */
function beginProcess(draft: Draft): void {
  if (isAtWork(draft.state)) emit(draft, [{ type: 'finish', reason: 'interrupted' }])
  change(draft, { asked: new Map(), questions: new Map(), served: new Map(), prompts: [] })
  change(draft, { working: false, replaying: false, denied: [], piece: null })
}

function beginLoad(draft: Draft, params: JsonObject): void {
  const { sessionId, cwd } = params
  change(draft, { replaying: true, usage: resumedUsage(draft.state.seldom.costBefore) })
  reportSession(draft, { sessionId: sessionId ?? null }, typeof cwd === 'string' ? { cwd } : {})
}

/** A session that could not be resumed must not look as if it had been. */
function applyLostSession(draft: Draft, { _meta }: JsonObject): void {
  const lost = textOf(objectOf(objectOf(_meta)['dragoman'])['notResumed'])
  if (lost === undefined) return
  change(draft, { usage: noUsage })
  const message = `The agent could not load its session ${lost} and started a new one.`
  notify(draft, 'warning', 'not-resumed', message)
}

function beginPrompt(draft: Draft, id: string): void {
  const isFirst = draft.state.prompts.length === 0
  const isOpen = isAtWork(draft.state)
  const { prompts, replaying } = draft.state
  change(draft, {
    prompts: [...prompts, { id, taken: false }],
    replaying: replaying && isLoading(draft.state),
  })
  if (isFirst && !isOpen) beginAnswer(draft)
}

/** Applies our answer to the agent: a person's answer, or the output of one of our terminals. */
function applyOurReply(draft: Draft, id: Json, reply: JsonObject): void {
  applyOurAnswer(draft, id, reply)
  const asked = draft.state.served.get(idWord(id))
  if (asked === undefined) return
  const served = new Map(draft.state.served)
  served.delete(idWord(id))
  change(draft, { served })
  const { method, params } = asked
  inSession(draft, params['sessionId'], () =>
    applyOurTerminal(draft, method, params, objectOf(reply['result'])),
  )
}

function applyOurTerminal(draft: Draft, method: string, params: JsonObject, result: JsonObject): void {
  const id = textOf(result['terminalId']) ?? textOf(params['terminalId'])
  if (id === undefined) return
  const { command, args, cwd } = params
  if (method === 'terminal/create' && typeof command === 'string')
    changeTerminal(draft, id, {
      command: [command, ...(Array.isArray(args) ? args : [])].join(' '),
      ...(typeof cwd === 'string' ? { cwd } : {}),
    })
  const facts = { ...result, ...objectOf(objectOf(result['_meta'])['dragoman']) }
  const { output, truncated, exitStatus } = facts
  if (typeof output === 'string') changeTerminal(draft, id, { output, truncated: truncated === true })
  const exit = method === 'terminal/wait_for_exit' ? exitOf(result) : exitOf(objectOf(exitStatus))
  if (exit !== null) changeTerminal(draft, id, { exit })
  showTerminal(draft, id)
}

function exitOf({ exitCode, signal }: JsonObject): JsonObject | null {
  if (exitCode === undefined && signal === undefined) return null
  return { exitCode: exitCode ?? null, signal: signal ?? null }
}
