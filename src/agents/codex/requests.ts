import type { Json } from '../../protocol/json.ts'
import type { RawMessage } from '../agent.ts'
import { parseJson } from '../kit/parse-json.ts'
import type { Op } from '../kit/parts.ts'
import { callIn } from '../kit/parts/look.ts'
import { askName, approvalOf } from './asks.ts'
import { callName } from './calls.ts'
import { asObject, objectOf, textOf, without, type Fields } from '../kit/fields.ts'
import { perform } from '../kit/telling.ts'
import { nativeThread, type Asked, type State, type Step } from './state.ts'

/** What a request is about: a call that an item tells of, or one that has no item of its own. */
interface Subject {
  readonly threadId: string
  readonly call: string
  readonly tool: string
  readonly input: Json
  /** What the request adds to what is known of the call. */
  readonly more: Fields
  readonly ends: boolean
}

const frame = ['threadId', 'turnId', 'itemId', 'startedAtMs', 'environmentId', 'approvalId']
const commandFrame = new Set([...frame, 'command', 'cwd', 'commandActions'])
const plainFrame = new Set(frame)
const oldFrame = new Set(['conversationId', 'callId', 'approvalId'])
const elicitationFrame = new Set(['threadId', 'turnId', 'serverName'])

type Reader = (state: State, params: Fields, request: Json) => Subject

const readers: Readonly<Record<string, Reader>> = {
  'item/commandExecution/requestApproval': (state, params) => ({
    ...place(state, params, 'itemId'),
    tool: 'commandExecution',
    input: { command: params['command'] ?? null, cwd: params['cwd'] ?? null },
    more: without(params, commandFrame),
    ends: false,
  }),
  'item/fileChange/requestApproval': (state, params) => ({
    ...place(state, params, 'itemId'),
    tool: 'fileChange',
    input: {},
    more: without(params, plainFrame),
    ends: false,
  }),
  'item/permissions/requestApproval': (state, params) => ownCall(state, params, 'requestPermissions'),
  'item/tool/requestUserInput': (state, params) => ownCall(state, params, 'requestUserInput'),
  'mcpServer/elicitation/request': elicitation,
  applyPatchApproval: (state, params) => oldStyle(state, params, 'fileChange'),
  execCommandApproval: (state, params) => oldStyle(state, params, 'commandExecution'),
}

/** Whether a method asks a person something. */
export const asksPerson = (method: string) => Object.hasOwn(readers, method)

/** The app-server asks a person something. */
export function asked(state: State, method: string, params: Fields, request: Json): Step {
  const subject = readers[method]?.(state, params, request)
  if (!subject) return [state, []]
  const { threadId, call, ends } = subject
  const open: Asked = { threadId, call, ends, answer: null }
  const next = { ...state, asked: new Map(state.asked).set(askName(request), open) }
  const ask: Op = { type: 'ask', call, approval: approvalOf(state.parts.connection, request) }
  return perform(next, nativeThread(state, threadId), [...introduction(state, subject), ask])
}

/** Tells the call that is asked about, with what the request adds to it, so that a person sees why. */
function introduction(state: State, { call, tool, input, more }: Subject): readonly Op[] {
  const known = callIn(state.parts, call)
  const { reason, ...facts } = more
  const title = textOf(more, 'reason') || textOf(more, 'message')
  const told = {
    type: 'call-ready',
    call,
    tool: known?.tool ?? tool,
    input: known?.input ?? input,
    ...(title === '' ? {} : { title }),
    ...(Object.keys(facts).length === 0 ? {} : { providerMetadata: { codex: facts } }),
  } as const
  if (known !== undefined && known.state !== 'ready') return []
  // Whoever decides sees the input, so the reason must stand there.
  return [reason === undefined ? told : { ...told, input: { ...asObject(told.input), reason } }]
}

function place(state: State, params: Fields, name: string): Pick<Subject, 'threadId' | 'call'> {
  const threadId = textOf(params, 'threadId') || (state.main ?? '')
  return { threadId, call: callName(state, threadId, textOf(params, name)) }
}

function ownCall(state: State, params: Fields, tool: string): Subject {
  return { ...place(state, params, 'itemId'), tool, input: without(params, plainFrame), more: {}, ends: true }
}

function oldStyle(state: State, params: Fields, tool: string): Subject {
  const threadId = textOf(params, 'conversationId') || (state.main ?? '')
  const call = callName(state, threadId, textOf(params, 'callId'))
  return { threadId, call, tool, input: without(params, oldFrame), more: {}, ends: true }
}

/** A question of an MCP server. Whether a tool of it may run is asked in this way, too, without naming the call. */
function elicitation(state: State, params: Fields, request: Json): Subject {
  const threadId = textOf(params, 'threadId') || (state.main ?? '')
  const meta = objectOf(params, '_meta')
  const more = without(params, elicitationFrame)
  const call = textOf(meta, 'codex_approval_kind') === 'mcp_tool_call' ? mcpCall(state, params, meta) : null
  if (call !== null) return { threadId, call, tool: '', input: null, more, ends: false }
  const input = without(params, new Set(['threadId', 'turnId']))
  const own = `${state.parts.connection}.elicitation-${askName(request)}`
  return { threadId, call: own, tool: 'elicitation', input, more: {}, ends: true }
}

/** The newest running call of a server that was not asked about yet, if possible one with the same input. */
function mcpCall(state: State, params: Fields, meta: Fields): string | null {
  const { thread } = nativeThread(state, textOf(params, 'threadId'))
  const taken = new Set([...state.asked.values()].map(({ call }) => call))
  const beginning = `mcp__${textOf(params, 'serverName')}__`
  const open = [...state.live.keys()].filter(call => {
    const known = callIn(state.parts, call)
    return known?.thread === thread && known.tool.startsWith(beginning) && !taken.has(call)
  })
  const wanted = JSON.stringify(meta['tool_params'] ?? null)
  const same = open.findLast(call => JSON.stringify(callIn(state.parts, call)?.input ?? null) === wanted)
  return same ?? open.at(-1) ?? null
}

/** A request is settled, by us or without us. */
export function requestResolved(state: State, params: Fields): Step {
  const name = askName(params['requestId'] ?? null)
  const open = state.asked.get(name)
  if (!open) return [state, []]
  const rest = { ...state, asked: new Map([...state.asked].filter(([each]) => each !== name)) }
  if (!open.ends || callIn(state.parts, open.call)?.state !== 'ready') return [rest, []]
  return perform(rest, nativeThread(state, open.threadId), [answerOf(open)])
}

function answerOf({ call, answer }: Asked): Op {
  const action = textOf(asObject(answer), 'action')
  if (action === 'decline' || action === 'cancel') return { type: 'failure', call, error: 'Declined.' }
  return { type: 'result', call, output: answer }
}

/** Our own lines matter only where they answer a question: the app-server does not repeat the answer. */
export function heardFromHost(state: State, { text }: RawMessage): State {
  if (state.asked.size === 0) return state
  const line = asObject(parseJson(text))
  const name = askName(line['id'] ?? null)
  const open = state.asked.get(name)
  if (!open || 'method' in line) return state
  return { ...state, asked: new Map(state.asked).set(name, { ...open, answer: line['result'] ?? null }) }
}
