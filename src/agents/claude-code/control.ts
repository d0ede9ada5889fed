import type { ProviderMetadata } from '../../protocol/chunk.ts'
import { isCut } from '../../protocol/cut-text.ts'
import type { Json } from '../../protocol/json.ts'
import { toolNamed } from '../../protocol/known-tools.ts'
import { isSameInput } from '../../protocol/rule-scope.ts'
import type { RawMessage } from '../agent.ts'
import { parseJson, unknownOf } from '../kit/parse-json.ts'
import { callIn } from '../kit/parts/look.ts'
import { getIn } from '../kit/persistent-map.ts'
import { refusal, textOf, fieldsOf, type Fields } from './messages.ts'
import { notice } from '../kit/parts.ts'
import { act, agentName, remember, type Draft, type Question } from './state.ts'

/** Control messages between the programs. */
const forMachines: ReadonlySet<string> = new Set(['hook_callback', 'mcp_message'])

/** A request of the agent: only permission requests are for a person. */
export function applyRequest(draft: Draft, fields: Fields, raw: RawMessage): void {
  const id = textOf(fields['request_id'])
  const request = fieldsOf(fields['request']) ?? {}
  const call = textOf(request['tool_use_id'])
  const kind = textOf(request['subtype']) ?? 'untyped'
  if (kind === 'elicitation') return applyForm(draft, request)
  if (forMachines.has(kind)) return
  if (kind !== 'can_use_tool' || id === null || call === null)
    return act(draft, [unknownOf(agentName, `control_request/${kind}`, raw, fields)])
  askAbout(draft, id, call, request)
}

/** Asks whether a call may run, with the input of the request: that input will run. */
function askAbout(draft: Draft, id: string, call: string, request: Fields): void {
  const tool = textOf(request['tool_name']) ?? 'unknown'
  const input = request['input'] ?? null
  const question: Question = { call, tool, input }
  remember(draft, { questions: new Map(draft.state.questions).set(id, question) })
  const known = callIn(draft.state.parts, call)
  const thread = known ? known.thread : threadOf(draft, textOf(request['agent_id']))
  // A request about a plan leaves the plan out; the call has it.
  if (known?.tool === tool && toolNamed(tool, agentName).family === 'plan')
    return act(draft, [{ type: 'ask', call, approval: id }], thread)
  // A truncated input must show that it is truncated, even when the call was known before.
  const isAnother = known && !isCut(input) && !extendsInput(known.input, input)
  const about = { tool, ...comparedIn(request) }
  act(
    draft,
    [
      { type: 'call-ready', call, input: isAnother ? known.input : input, ...about },
      { type: 'ask', call, approval: id, input, about },
    ],
    thread,
  )
}

/** Claude Code may add defaults that the call left out; any other difference is another input. */
function extendsInput(before: Json, asked: Json): boolean {
  const [one, other] = [fieldsOf(before), fieldsOf(asked)]
  if (one === null || other === null) return false
  return Object.entries(one).every(
    ([key, value]) => Object.hasOwn(other, key) && isSameInput(value, other[key] ?? null),
  )
}

/** The path that made Claude Code ask: it shows the folder of its shell, which the input does not. */
function comparedIn(request: Fields): { readonly providerMetadata?: ProviderMetadata } {
  const path = textOf(request['blocked_path'])
  return path === null ? {} : { providerMetadata: { dragoman: { compared: { blocked_path: path } } } }
}

/** We decline a server's form, and a person should know. */
function applyForm(draft: Draft, request: Fields): void {
  const server = textOf(request['mcp_server_name']) ?? 'A server'
  const message = `${server} asked for a form to be filled in, and was told no: ${textOf(request['message']) ?? ''}`
  act(draft, [notice('warning', 'form-declined', message)])
}

/** The thread of a subagent by the agent's own id. */
function threadOf(draft: Draft, agent: string | null): string | null {
  return agent === null ? null : (getIn(draft.state.tasks, agent)?.call ?? null)
}

/** An answer to one of our requests; shown only when it was refused. */
export function applyResponse(draft: Draft, fields: Fields): void {
  const response = fieldsOf(fields['response']) ?? {}
  const error = textOf(response['error'])
  if (response['subtype'] !== 'error' || error === null || error.startsWith(refusal)) return
  act(draft, [notice('warning', 'refused', error)])
}

/** Our own lines: a prompt begins the next answer, and an input that a person changed is in no other line. */
export function applyHost(draft: Draft, { text }: RawMessage): void {
  const fields = fieldsOf(parseJson(text))
  if (fields === null) return
  if (fields['type'] === 'user') applyPrompt(draft, fields)
  if (fields['type'] === 'control_response') applyAnswer(draft, fieldsOf(fields['response']) ?? {})
}

function applyPrompt(draft: Draft, fields: Fields): void {
  remember(draft, { awaiting: true, prompt: textOf(fields['uuid']), taken: false })
}

function applyAnswer(draft: Draft, response: Fields): void {
  const id = textOf(response['request_id']) ?? ''
  const question = draft.state.questions.get(id)
  if (question === undefined) return
  const rest = [...draft.state.questions].filter(([other]) => other !== id)
  remember(draft, { questions: new Map(rest) })
  const input = fieldsOf(response['response'])?.['updatedInput']
  const known = callIn(draft.state.parts, question.call)
  // The request may lack fields of the call, so only a real change counts.
  if (!known || input === undefined || same(input, question.input)) return
  const ready = { type: 'call-ready', call: question.call, tool: question.tool, input } as const
  act(draft, [ready], known.thread)
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
