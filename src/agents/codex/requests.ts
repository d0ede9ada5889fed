import type { ProviderMetadata } from '../../protocol/chunk.ts'
import type { Json } from '../../protocol/json.ts'
import { isSameInput } from '../../protocol/rule-scope.ts'
import type { RawMessage } from '../agent.ts'
import { parseJson } from '../kit/parse-json.ts'
import { apply, type Op } from '../kit/parts.ts'
import { callIn } from '../kit/parts/look.ts'
import type { Call } from '../kit/parts/state.ts'
import { askName, approvalOf } from './asks.ts'
import { callName } from './calls.ts'
import { asObject, listOf, objectOf, textOf, without, type Fields } from '../kit/fields.ts'
import { nativeThread, type Asked, type State, type Step } from './state.ts'

/** The call that a request is about: one that an item reports, or one without an item. */
interface Subject {
  readonly threadId: string
  readonly call: string
  readonly tool: string
  /** The input, as far as the request has it. */
  readonly input: Json
  /** What the request adds to the call. */
  readonly more: Fields
  /** Whether that is part of what will run, and not only of the question. */
  readonly isPartOfInput: boolean
  readonly ends: boolean
}

const frame = ['threadId', 'turnId', 'itemId', 'startedAtMs', 'approvalId']
const commandFrame = new Set([...frame, 'command', 'cwd', 'commandActions'])
const plainFrame = new Set(frame)
/** How a request can be answered. This is not part of what runs. */
const answering = new Set(['availableDecisions'])
const oldFrame = new Set(['conversationId', 'callId', 'approvalId'])
const elicitationFrame = new Set(['threadId', 'turnId', 'serverName'])

type Reader = (state: State, params: Fields, request: Json) => Subject

const readers: Readonly<Record<string, Reader>> = {
  'item/commandExecution/requestApproval': (state, params) => ({
    ...place(state, params, 'itemId'),
    tool: 'commandExecution',
    input: pick(params, ['command', 'cwd']),
    more: without(params, commandFrame),
    isPartOfInput: true,
    ends: false,
  }),
  'item/fileChange/requestApproval': (state, params) => ({
    ...place(state, params, 'itemId'),
    tool: 'fileChange',
    input: {},
    more: without(params, plainFrame),
    isPartOfInput: true,
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

/** A request of the app-server to a person. */
export function asked(state: State, method: string, params: Fields, request: Json): Step {
  const subject = readers[method]?.(state, params, request)
  if (!subject) return [state, []]
  const { threadId, call, ends } = subject
  const open: Asked = { threadId, call, ends, answer: null }
  const next = { ...state, asked: new Map(state.asked).set(askName(request), open) }
  const approval = approvalOf(state.parts.connection, request)
  return apply(next, nativeThread(state, threadId), questionOf(state, subject, approval))
}

/** Shows the call with everything that the request adds to it, and asks for approval of exactly that. */
function questionOf(state: State, subject: Subject, approval: string): readonly Op[] {
  const { call, tool, more, isPartOfInput } = subject
  const shown = callIn(state.parts, call)
  const known = shown?.state === 'ready' ? shown : undefined
  const title = textOf(more, 'reason') || textOf(more, 'message')
  const input = isPartOfInput
    ? withAdded(known ? ownInput(known) : subject.input, without(more, answering))
    : (known?.input ?? subject.input)
  const wanted = isPartOfInput ? withAdded(input, subject.input) : subject.input
  const about = { tool: tool || (known?.tool ?? ''), ...metadataOf(subject, wanted) }
  const ready: Op = { type: 'call-ready', call, input, ...(title === '' ? {} : { title }), ...about }
  return [ready, { type: 'ask', call, approval, about, ...(wanted === null ? {} : { input: wanted }) }]
}

function metadataOf(
  { tool, more, isPartOfInput }: Subject,
  wanted: Json,
): { providerMetadata?: ProviderMetadata } {
  const { reason: _, ...codex } = more
  const isPartial = isPartOfInput && !isWhole(tool, asObject(wanted))
  const providerMetadata: ProviderMetadata = {
    ...(Object.keys(codex).length === 0 ? {} : { codex }),
    ...(isPartial ? { dragoman: { partialInput: true } } : {}),
  }
  return Object.keys(providerMetadata).length === 0 ? {} : { providerMetadata }
}

/** Without an item, a patch cannot be shown, and neither can a command or a folder that the request does not name. */
const isWhole = (tool: string, input: Fields): boolean =>
  tool === 'fileChange'
    ? listOf(input, 'changes').length > 0
    : textOf(input, 'command') !== '' && textOf(input, 'cwd') !== ''

/** A call's input without the additions of an earlier request. */
function ownInput({ input, facts }: Pick<Call, 'input' | 'facts'>): Json {
  const added = facts.providerMetadata?.['codex']
  return added === undefined ? input : without(asObject(input), new Set([...Object.keys(added), 'reason']))
}

function withAdded(input: Json, added: Json): Json {
  const fields = asObject(added)
  return Object.keys(fields).length === 0 ? input : { ...asObject(input), ...fields }
}

function pick(params: Fields, names: readonly string[]): Fields {
  return without(Object.fromEntries(names.map(name => [name, params[name] ?? null])), new Set())
}

function place(state: State, params: Fields, name: string): Pick<Subject, 'threadId' | 'call'> {
  const threadId = textOf(params, 'threadId') || (state.main ?? '')
  return { threadId, call: callName(state, threadId, textOf(params, name)) }
}

function ownCall(state: State, params: Fields, tool: string): Subject {
  return {
    ...place(state, params, 'itemId'),
    tool,
    input: without(params, plainFrame),
    more: {},
    isPartOfInput: false,
    ends: true,
  }
}

function oldStyle(state: State, params: Fields, tool: string): Subject {
  const threadId = textOf(params, 'conversationId') || (state.main ?? '')
  const call = callName(state, threadId, textOf(params, 'callId'))
  return {
    threadId,
    call,
    tool,
    input: without(params, oldFrame),
    more: {},
    isPartOfInput: false,
    ends: true,
  }
}

/** A question of an MCP server. Approval of its tools is also requested in this way, without the id of the call. */
function elicitation(state: State, params: Fields, request: Json): Subject {
  const threadId = textOf(params, 'threadId') || (state.main ?? '')
  const meta = objectOf(params, '_meta')
  const more = without(params, elicitationFrame)
  const call = textOf(meta, 'codex_approval_kind') === 'mcp_tool_call' ? mcpCall(state, params, meta) : null
  if (call !== null)
    return {
      threadId,
      call,
      tool: '',
      input: meta['tool_params'] ?? null,
      more,
      isPartOfInput: false,
      ends: false,
    }
  const input = without(params, new Set(['threadId', 'turnId']))
  const own = `${state.parts.connection}.elicitation-${askName(request)}`
  return { threadId, call: own, tool: 'elicitation', input, more: {}, isPartOfInput: false, ends: true }
}

/** The newest running call with the server, tool and input of the question; null if there is none. */
function mcpCall(state: State, params: Fields, meta: Fields): string | null {
  const { thread } = nativeThread(state, textOf(params, 'threadId'))
  const taken = new Set([...state.asked.values()].map(({ call }) => call))
  const beginning = `mcp__${textOf(params, 'serverName')}__`
  const message = textOf(params, 'message')
  const named = [...state.live.keys()].findLast(call => {
    const known = callIn(state.parts, call)
    if (known?.thread !== thread || !known.tool.startsWith(beginning) || taken.has(call)) return false
    const isTool = message.endsWith(` tool "${known.tool.slice(beginning.length)}"?`)
    return isTool && isSameInput(known.input, meta['tool_params'] ?? null)
  })
  return named ?? null
}

/** A request is settled, by our answer or without it. */
export function requestResolved(state: State, params: Fields): Step {
  const name = askName(params['requestId'] ?? null)
  const open = state.asked.get(name)
  if (!open) return [state, []]
  const rest = { ...state, asked: new Map([...state.asked].filter(([each]) => each !== name)) }
  if (!open.ends || callIn(state.parts, open.call)?.state !== 'ready') return [rest, []]
  return apply(rest, nativeThread(state, open.threadId), [answerOf(open)])
}

function answerOf({ call, answer }: Asked): Op {
  const action = textOf(asObject(answer), 'action')
  if (action === 'decline' || action === 'cancel') return { type: 'failure', call, error: 'Declined.' }
  return { type: 'result', call, output: answer }
}

/** Our own lines matter only if they answer a question, because the app-server does not repeat the answer. */
export function withHostLine(state: State, { text }: RawMessage): State {
  if (state.asked.size === 0) return state
  const line = asObject(parseJson(text))
  const name = askName(line['id'] ?? null)
  const open = state.asked.get(name)
  if (!open || 'method' in line) return state
  return { ...state, asked: new Map(state.asked).set(name, { ...open, answer: line['result'] ?? null }) }
}
