import type { Json } from '../../../protocol/json.ts'
import { idWord, listOf, objectOf, textOf, type JsonObject } from '../messages.ts'
import { beginAnswer, endAnswer, failureOf, reasonOf } from './endings.ts'
import { mentionUnknown, notify } from './notices.ts'
import { hearElicitation, hearPermissionRequest } from './questions.ts'
import { isSpeaking } from '../../kit/parts/look.ts'
import { tellSession } from './session-facts.ts'
import { inSession } from './sessions.ts'
import { change, type Asked, type Draft } from './state.ts'
import { hearUpdate, loads } from './updates.ts'

/** Hears what the agent says: news of the session, a request, or an answer. */
export function hearTheirs(draft: Draft, line: JsonObject): void {
  const { id, method, params } = line
  if (method === 'session/update') return hearNews(draft, objectOf(params))
  if (typeof method === 'string') return hearRequest(draft, id, method, objectOf(params), line)
  if (id !== undefined && ('result' in line || 'error' in line)) return hearReply(draft, id, line)
  mentionUnknown(draft, 'untyped', line)
}

function hearNews(draft: Draft, params: JsonObject): void {
  const { sessionId } = params
  const { scene, parts } = draft.state
  if (scene.alone && parts.session.agentSession === null) tellSession(draft, { sessionId: sessionId ?? null })
  inSession(draft, sessionId, () => hearUpdate(draft, params))
}

/** Requests that a machine answers, and news that is for machines. */
const forMachines = /^(fs\/|terminal\/|craft\/|qwen\/|_?auth\/|elicitation\/complete$|\$\/)/

function hearRequest(
  draft: Draft,
  id: Json | undefined,
  method: string,
  params: JsonObject,
  line: JsonObject,
): void {
  const { sessionId } = params
  if (id !== undefined && method === 'session/request_permission')
    return inSession(draft, sessionId, () => hearPermissionRequest(draft, id, params))
  if (id !== undefined && method === 'elicitation/create')
    return inSession(draft, sessionId, () => hearElicitation(draft, id, params))
  if (id !== undefined && method.startsWith('terminal/')) {
    const served = new Map(draft.state.served).set(idWord(id), { method, params })
    return change(draft, { served })
  }
  if (!forMachines.test(method)) mentionUnknown(draft, method, line)
}

function hearReply(draft: Draft, id: Json, line: JsonObject): void {
  const word = idWord(id)
  const question = draft.state.asked.get(word)
  if (question === undefined) return hearUnasked(draft, line)
  const asked = new Map(draft.state.asked)
  asked.delete(word)
  change(draft, { asked })
  const { result, error } = line
  if (question.method === 'session/prompt') return hearPromptReply(draft, word, line)
  if (error === undefined) hearResult(draft, question, objectOf(result))
  else hearRefusal(draft, error, question.method)
  const isOver = loads(question.method) && (error !== undefined || draft.state.prompts.length > 0)
  if (isOver) change(draft, { replaying: false })
}

function hearResult(draft: Draft, { method, params }: Asked, result: JsonObject): void {
  if (method === 'initialize') {
    const info = objectOf(result['agentInfo'] ?? result['info'])
    const version = textOf(info['version'])
    change(draft, { peer: textOf(info['name']) ?? null })
    return tellSession(draft, {}, version === undefined ? {} : { version })
  }
  const cwd = method === 'session/new' ? textOf(params['cwd']) : undefined
  tellSession(draft, result, cwd === undefined ? {} : { cwd })
}

/** An answer to something that we were not heard to ask. Where we were not heard at all, it shows what that was. */
function hearUnasked(draft: Draft, line: JsonObject): void {
  const { result, error } = line
  if (!draft.state.scene.alone) return mentionUnknown(draft, 'answer', line)
  if (error !== undefined) return hearRefusal(draft, error)
  const told = objectOf(result)
  if (typeof told['stopReason'] === 'string') {
    if (isSpeaking(draft.state.parts)) endAnswer(draft, told, reasonOf(draft, told))
    return
  }
  const isGreeting = 'protocolVersion' in told || 'agentInfo' in told
  hearResult(draft, { method: isGreeting ? 'initialize' : '', params: {} }, told)
}

/** The agent does not do what it was asked to. */
function hearRefusal(draft: Draft, error: Json, method?: string): void {
  const { message } = failureOf(error).error ?? {}
  const details = listOf(objectOf(error)['data']).flatMap(each => textOf(objectOf(each)['message']) ?? [])
  const sentence = [message, ...details].filter(text => text !== undefined).join(' ')
  if (sentence === '') return
  const isNamed = method === undefined || sentence.includes(method)
  notify(draft, 'warning', 'request-refused', isNamed ? sentence : `${sentence} (${method})`)
}

/** In version 1 the answer to a prompt is its end; in version 2 it only says that the prompt was taken. */
function hearPromptReply(draft: Draft, word: string, { result, error }: JsonObject): void {
  const [first] = draft.state.prompts
  const told = objectOf(result)
  if (error === undefined && told['stopReason'] === undefined && typeof told['messageId'] === 'string') {
    const taken = draft.state.prompts.map(prompt =>
      prompt.id === word ? { ...prompt, taken: true } : prompt,
    )
    return change(draft, { prompts: taken })
  }
  const prompts = draft.state.prompts.filter(({ id }) => id !== word)
  const isOpen = first?.id === word
  if (isOpen) endAnswer(draft, told, error === undefined ? reasonOf(draft, told) : failureOf(error))
  change(draft, { prompts })
  if (isOpen && prompts.length > 0) beginAnswer(draft)
}
