import type { Json } from '../../protocol/json.ts'
import { isObject, numberOf, objectOf, textOf, type JsonObject } from '../acp/index.ts'
import { parseJson } from '../kit/parse-json.ts'
import { notice, type Op } from '../kit/parts.ts'
import type { Ending } from '../kit/parts/op.ts'
import { emit, type Draft, type Headless } from './state.ts'

type Apply = (draft: Draft, line: JsonObject) => void

const kinds = new Map<string, Apply>([
  ['init', applyInit],
  ['message', applyMessage],
  ['tool_use', applyCall],
  ['tool_result', applyResult],
  ['error', applyError],
  ['result', applyEnd],
])

/** Applies a line of the headless mode. */
export function applyHeadless(draft: Draft, line: JsonObject): void {
  kinds.get(textOf(line['type']) ?? '')?.(draft, line)
}

function change(draft: Draft, news: Partial<Headless>): void {
  draft.state = { ...draft.state, headless: { ...draft.state.headless, ...news } }
}

/** An interrupted run prints nothing at its end, so it ends where the next begins. */
function applyInit(draft: Draft, { session_id: session, model }: JsonObject): void {
  if (draft.state.headless.isRunning) emit(draft, [{ type: 'finish', reason: 'interrupted' }])
  change(draft, { isRunning: true, error: null })
  const data = {
    ...(typeof session === 'string' ? { agentSession: session } : {}),
    ...(typeof model === 'string' ? { model } : {}),
  }
  emit(draft, [{ type: 'session', data }])
}

function applyMessage(draft: Draft, { role, content }: JsonObject): void {
  if (role !== 'assistant') return emit(draft, [{ type: 'begin' }])
  const { texts } = draft.state.headless
  emit(draft, [{ type: 'text', key: String(texts), delta: textOf(content) ?? '' }])
}

function applyCall(draft: Draft, { tool_id: id, tool_name: name, parameters }: JsonObject): void {
  const { texts } = draft.state.headless
  const call = textOf(id) ?? `call-${texts}`
  const ready: Op = { type: 'call-ready', call, tool: textOf(name) ?? 'tool', input: parameters ?? null }
  emit(draft, [{ type: 'end', key: String(texts) }, ready])
  change(draft, { texts: texts + 1 })
}

function applyResult(draft: Draft, line: JsonObject): void {
  const { tool_id: id, status, output, error } = line
  const call = textOf(id) ?? ''
  if (status !== 'error') return emit(draft, [{ type: 'result', call, output: output ?? null }])
  const { type, message } = objectOf(error)
  const reason = textOf(message) ?? textOf(output) ?? 'The tool failed and did not say why.'
  emit(draft, [{ type: 'failure', call, error: reason }])
  // The kind of the error, and another text about it, do not fit into the error itself.
  const beside = [textOf(type), output === reason ? undefined : textOf(output)].filter(
    text => text !== undefined,
  )
  if (beside.length > 0) emit(draft, [notice('info', 'tool-error', beside.join(': '))])
}

function applyError(draft: Draft, { severity, message }: JsonObject): void {
  const text = textOf(message) ?? ''
  change(draft, { error: text })
  emit(draft, [notice(severity === 'error' ? 'error' : 'warning', 'agent-error', text)])
}

function applyEnd(draft: Draft, line: JsonObject): void {
  const stats = objectOf(line['stats'])
  const { model } = draft.state.acp.parts.session
  const duration = numberOf(stats['duration_ms'])
  const tokens = tokensIn(stats)
  const data = { tokens, cost: null, model }
  emit(draft, [
    { type: 'show', chunk: { type: 'data-usage', id: 'usage', data } },
    {
      type: 'finish',
      ...reasonOf(draft, line),
      tokens,
      ...(duration === undefined ? {} : { duration }),
      metadata: { gemini: { stats } },
    },
  ])
  change(draft, { isRunning: false, error: null, texts: draft.state.headless.texts + 1 })
}

/** Thoughts are output, too: here only the sum of all includes them. */
function tokensIn(stats: JsonObject) {
  const read = (name: string) => numberOf(stats[name]) ?? 0
  const cacheRead = read('cached')
  const input = numberOf(stats['input']) ?? read('input_tokens') - cacheRead
  const output = Math.max(read('output_tokens'), read('total_tokens') - read('input_tokens'))
  return { input, output, cacheRead, cacheWrite: 0 }
}

function reasonOf(draft: Draft, { status, error }: JsonObject): Pick<Ending, 'reason' | 'error'> {
  if (status !== 'error') return { reason: 'finished' }
  const { type, message } = objectOf(error)
  const reason = innerMessage(
    textOf(message) ?? draft.state.headless.error ?? 'Gemini CLI failed and did not say why.',
  )
  return { reason: 'failed', error: { kind: textOf(type) ?? 'unknown', message: reason } }
}

/** Some errors are the body of the model's response, in brackets; people need the message in it. */
function innerMessage(text: string): string {
  const [, body = ''] = /^\[API Error: (.*)\]$/s.exec(text) ?? []
  const parsed: Json | undefined = body.startsWith('{') ? parseJson(body) : undefined
  const inner = isObject(parsed) ? objectOf(parsed['error'])['message'] : undefined
  return textOf(inner) ?? text
}
