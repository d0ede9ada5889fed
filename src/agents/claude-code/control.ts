import type { ProviderMetadata } from '../../protocol/chunk.ts'
import { isCut } from '../../protocol/cut-text.ts'
import type { Json } from '../../protocol/json.ts'
import { toolNamed } from '../../protocol/known-tools.ts'
import { isSameInput } from '../../protocol/rule-scope.ts'
import type { RawMessage } from '../agent.ts'
import { parseJson } from '../kit/parse-json.ts'
import { callIn } from '../kit/parts/look.ts'
import { getIn } from '../kit/persistent-map.ts'
import { refusal, textOf, wordsOf, type Words } from './messages.ts'
import { noticeOp } from './notice.ts'
import { unknownOf } from '../kit/read-json.ts'
import { act, agentName, remember, type Draft, type Question } from './state.ts'

/** What is between programs. */
const forMachines: ReadonlySet<string> = new Set(['hook_callback', 'mcp_message'])

/** The agent asks us something: only whether a call may run is for a person. */
export function hearRequest(draft: Draft, words: Words, raw: RawMessage): void {
  const id = textOf(words['request_id'])
  const request = wordsOf(words['request']) ?? {}
  const call = textOf(request['tool_use_id'])
  const kind = textOf(request['subtype']) ?? 'untyped'
  if (kind === 'elicitation') return hearForm(draft, request)
  if (forMachines.has(kind)) return
  if (kind !== 'can_use_tool' || id === null || call === null)
    return act(draft, [unknownOf(agentName, `control_request/${kind}`, raw, words)])
  askAbout(draft, id, call, request)
}

/** Asks whether a call may run, with the input of the request: that is what will run. */
function askAbout(draft: Draft, id: string, call: string, request: Words): void {
  const tool = textOf(request['tool_name']) ?? 'unknown'
  const input = request['input'] ?? null
  const question: Question = { call, tool, input }
  remember(draft, { questions: new Map(draft.state.questions).set(id, question) })
  const known = callIn(draft.state.parts, call)
  const thread = known ? known.thread : threadOf(draft, textOf(request['agent_id']))
  // A request about a plan leaves the plan out, and the call has it.
  if (known?.tool === tool && toolNamed(tool, agentName).family === 'plan')
    return act(draft, [{ type: 'ask', call, approval: id }], thread)
  // A cut input must be seen to be cut, whatever was known of the call before.
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

/** Claude Code may add what a call left to its defaults; anything else that differs is another input. */
function extendsInput(before: Json, asked: Json): boolean {
  const [one, other] = [wordsOf(before), wordsOf(asked)]
  if (one === null || other === null) return false
  return Object.entries(one).every(
    ([key, value]) => Object.hasOwn(other, key) && isSameInput(value, other[key] ?? null),
  )
}

/** The path that made Claude Code ask: it shows the folder in which its shell is, which the input does not. */
function comparedIn(request: Words): { readonly providerMetadata?: ProviderMetadata } {
  const path = textOf(request['blocked_path'])
  return path === null ? {} : { providerMetadata: { dragoman: { compared: { blocked_path: path } } } }
}

/** A server's form is declined by us, which a person should know. */
function hearForm(draft: Draft, request: Words): void {
  const server = textOf(request['mcp_server_name']) ?? 'A server'
  const message = `${server} asked for a form to be filled in, and was told no: ${textOf(request['message']) ?? ''}`
  act(draft, [noticeOp('warning', 'form-declined', message)])
}

/** The thread of a subagent by the agent's own name for it. */
function threadOf(draft: Draft, agent: string | null): string | null {
  return agent === null ? null : (getIn(draft.state.tasks, agent)?.call ?? null)
}

/** An answer to something we asked for; worth a line only when it was refused. */
export function hearResponse(draft: Draft, words: Words): void {
  const response = wordsOf(words['response']) ?? {}
  const error = textOf(response['error'])
  if (response['subtype'] !== 'error' || error === null || error.startsWith(refusal)) return
  act(draft, [noticeOp('warning', 'refused', error)])
}

/** Our own lines: a prompt is what the next words answer, and an input that a person changed is told nowhere else. */
export function hearHost(draft: Draft, { text }: RawMessage): void {
  const words = wordsOf(parseJson(text))
  if (words === null) return
  if (words['type'] === 'user') hearPrompt(draft, words)
  if (words['type'] === 'control_response') hearAnswer(draft, wordsOf(words['response']) ?? {})
}

function hearPrompt(draft: Draft, words: Words): void {
  remember(draft, { awaiting: true, prompt: textOf(words['uuid']), taken: false })
}

function hearAnswer(draft: Draft, response: Words): void {
  const id = textOf(response['request_id']) ?? ''
  const question = draft.state.questions.get(id)
  if (question === undefined) return
  const rest = [...draft.state.questions].filter(([other]) => other !== id)
  remember(draft, { questions: new Map(rest) })
  const input = wordsOf(response['response'])?.['updatedInput']
  const known = callIn(draft.state.parts, question.call)
  // What is asked about may lack fields of the call, so only a real change counts.
  if (!known || input === undefined || same(input, question.input)) return
  const ready = { type: 'call-ready', call: question.call, tool: question.tool, input } as const
  act(draft, [ready], known.thread)
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
