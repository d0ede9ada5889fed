import type { Json } from '../../../protocol/json.ts'
import { idWord, listOf, objectOf, textOf, type JsonObject } from '../messages.ts'
import { beginAnswer, endAnswer, failureOf, reasonOf } from './endings.ts'
import { mentionUnknown, notify } from './notices.ts'
import { applyElicitation, applyPermissionRequest } from './questions.ts'
import { isSpeaking } from '../../kit/parts/look.ts'
import { reportSession } from './session-facts.ts'
import { inSession } from './sessions.ts'
import { change, type Asked, type Draft } from './state.ts'
import { applyUpdate, loads } from './updates.ts'

/** Applies a message of the agent: a session update, a request, or an answer. */
export function applyTheirs(draft: Draft, line: JsonObject): void {
  const { id, method, params } = line
  if (method === 'session/update') return applyNotification(draft, objectOf(params))
  if (typeof method === 'string') return applyRequest(draft, id, method, objectOf(params), line)
  if (id !== undefined && ('result' in line || 'error' in line)) return applyReply(draft, id, line)
  mentionUnknown(draft, 'untyped', line)
}

function applyNotification(draft: Draft, params: JsonObject): void {
  const { sessionId } = params
  const { seldom, parts } = draft.state
  if (seldom.alone && parts.session.agentSession === null)
    reportSession(draft, { sessionId: sessionId ?? null })
  inSession(draft, sessionId, () => applyUpdate(draft, params))
}

/** Requests that the server answers itself, and updates for programs only. */
const forMachines = /^(fs\/|terminal\/|craft\/|qwen\/|_?auth\/|elicitation\/complete$|\$\/)/

function applyRequest(
  draft: Draft,
  id: Json | undefined,
  method: string,
  params: JsonObject,
  line: JsonObject,
): void {
  const { sessionId } = params
  if (id !== undefined && method === 'session/request_permission')
    return inSession(draft, sessionId, () => applyPermissionRequest(draft, id, params))
  if (id !== undefined && method === 'elicitation/create')
    return inSession(draft, sessionId, () => applyElicitation(draft, id, params))
  if (id !== undefined && method.startsWith('terminal/')) {
    const served = new Map(draft.state.served).set(idWord(id), { method, params })
    return change(draft, { served })
  }
  if (!forMachines.test(method)) mentionUnknown(draft, method, line)
}

function applyReply(draft: Draft, id: Json, line: JsonObject): void {
  const word = idWord(id)
  const question = draft.state.asked.get(word)
  if (question === undefined) return applyUnasked(draft, line)
  const asked = new Map(draft.state.asked)
  asked.delete(word)
  change(draft, { asked })
  const { result, error } = line
  if (question.method === 'session/prompt') return applyPromptReply(draft, word, line)
  if (error === undefined) applyResult(draft, question, objectOf(result))
  else applyRefusal(draft, error, question.method)
  const isOver = loads(question.method) && (error !== undefined || draft.state.prompts.length > 0)
  if (isOver) change(draft, { replaying: false })
}

function applyResult(draft: Draft, { method, params }: Asked, result: JsonObject): void {
  if (method === 'initialize') {
    const info = objectOf(result['agentInfo'] ?? result['info'])
    const version = textOf(info['version'])
    change(draft, { peer: textOf(info['name']) ?? null })
    return reportSession(draft, {}, version === undefined ? {} : { version })
  }
  const cwd = method === 'session/new' ? textOf(params['cwd']) : undefined
  reportSession(draft, result, cwd === undefined ? {} : { cwd })
}

/**
 * An answer to a request that is not in the lines. Where none of our lines are present, its shape shows the request.
 */
function applyUnasked(draft: Draft, line: JsonObject): void {
  const { result, error } = line
  if (!draft.state.seldom.alone) return mentionUnknown(draft, 'answer', line)
  if (error !== undefined) return applyRefusal(draft, error)
  const reply = objectOf(result)
  if (typeof reply['stopReason'] === 'string') {
    if (isSpeaking(draft.state.parts)) endAnswer(draft, reply, reasonOf(draft, reply))
    return
  }
  const isGreeting = 'protocolVersion' in reply || 'agentInfo' in reply
  applyResult(draft, { method: isGreeting ? 'initialize' : '', params: {} }, reply)
}

/** The agent refused a request. */
function applyRefusal(draft: Draft, error: Json, method?: string): void {
  const { message } = failureOf(error).error ?? {}
  const details = listOf(objectOf(error)['data']).flatMap(each => textOf(objectOf(each)['message']) ?? [])
  const sentence = [message, ...details].filter(text => text !== undefined).join(' ')
  if (sentence === '') return
  const isNamed = method === undefined || sentence.includes(method)
  notify(draft, 'warning', 'request-refused', isNamed ? sentence : `${sentence} (${method})`)
}

/** In version 1 the answer to a prompt is its end; in version 2 it only means that the prompt was accepted. */
function applyPromptReply(draft: Draft, word: string, { result, error }: JsonObject): void {
  const [first] = draft.state.prompts
  const reply = objectOf(result)
  if (error === undefined && reply['stopReason'] === undefined && typeof reply['messageId'] === 'string') {
    const taken = draft.state.prompts.map(prompt =>
      prompt.id === word ? { ...prompt, taken: true } : prompt,
    )
    return change(draft, { prompts: taken })
  }
  const prompts = draft.state.prompts.filter(({ id }) => id !== word)
  const isOpen = first?.id === word
  if (isOpen) endAnswer(draft, reply, error === undefined ? reasonOf(draft, reply) : failureOf(error))
  change(draft, { prompts })
  if (isOpen && prompts.length > 0) beginAnswer(draft)
}
