import { createInterface } from 'node:readline'
import type { Question } from './questions.ts'

// A program in place of Claude Code, Codex, Gemini CLI or any agent over ACP: each prompt holds, after "ask:", the question that
// it asks.
interface Line {
  readonly id?: number
  readonly method?: string
  readonly type?: string
  readonly request_id?: string
  readonly request?: { readonly subtype?: string }
  readonly params?: {
    readonly input?: readonly { readonly text?: string }[]
    readonly prompt?: readonly { readonly text?: string }[]
  }
  readonly message?: { readonly content?: readonly { readonly text?: string }[] }
}

const kind = process.argv[2]
if (process.argv.includes('--version')) {
  const versions = new Map([
    ['claude', '2.1.325 (Claude Code)'],
    ['codex', 'codex-cli 0.166.0'],
  ])
  process.stdout.write(`${versions.get(kind ?? '') ?? '0.61.0'}\n`)
  process.exit(0)
}
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)
let count = 0
let requests = 0
let whenAnswered = () => {}

/** Finishes after the answer; with a second request, after the answer to that one. */
function askTwice({ second }: Question, request: (more: object) => void, finish: () => void): void {
  const end = () => {
    whenAnswered = () => {}
    finish()
  }
  whenAnswered = () => {
    whenAnswered = end
    if (second === undefined) end()
    else request(second)
  }
}

const wantedIn = (text: string | undefined): Question | null => {
  const encoded = /ask:([\w-]+)/.exec(text ?? '')?.[1]
  return encoded === undefined ? null : (JSON.parse(Buffer.from(encoded, 'base64url').toString()) as Question)
}

function claude(line: Line): void {
  if (line.type === 'control_request')
    return void say({
      type: 'control_response',
      response: { subtype: 'success', request_id: line.request_id, response: {} },
    })
  if (line.type === 'control_response') return whenAnswered()
  const wanted = line.type === 'user' ? wantedIn(line.message?.content?.[0]?.text) : null
  if (wanted === null) return
  const id = `toolu_${(count += 1)}`
  const use = { type: 'tool_use', id, name: 'Bash', input: wanted.reported ?? wanted.asked }
  say({ type: 'system', subtype: 'init', session_id: 's', model: 'm', cwd: process.cwd(), tools: [] })
  say({
    type: 'assistant',
    session_id: 's',
    parent_tool_use_id: null,
    message: { id: `msg_${count}`, role: 'assistant', model: 'm', content: [use], usage: {} },
  })
  const request = (more: object | undefined) =>
    say({
      type: 'control_request',
      request_id: `r${(requests += 1)}`,
      request: { subtype: 'can_use_tool', tool_name: 'Bash', input: wanted.asked, tool_use_id: id, ...more },
    })
  request(wanted.beside)
  askTwice(wanted, request, () => {
    say({
      type: 'user',
      session_id: 's',
      parent_tool_use_id: null,
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'done' }] },
    })
    say({
      type: 'result',
      subtype: 'success',
      is_error: false,
      session_id: 's',
      result: '',
      num_turns: 1,
      duration_ms: 1,
      usage: {},
    })
  })
}

function codex({ id, method, params }: Line): void {
  if (method === undefined) return whenAnswered()
  if (id === undefined) return
  say({
    id,
    result: method.startsWith('thread/')
      ? { thread: { id: 'T' } }
      : method === 'turn/start'
        ? { turn: { id: 'U' } }
        : {},
  })
  const wanted = method === 'turn/start' ? wantedIn(params?.input?.[0]?.text) : null
  if (wanted === null) return
  const place = { threadId: 'T', turnId: 'U' }
  const itemId = `c${(count += 1)}`
  const item = { type: 'commandExecution', id: itemId, source: 'agent', ...(wanted.reported ?? wanted.asked) }
  say({ method: 'turn/started', params: { threadId: 'T', turn: { id: 'U' } } })
  say({ method: 'item/started', params: { ...place, item: { ...item, status: 'inProgress' } } })
  const request = (more: object | undefined) =>
    say({
      id: (requests += 1),
      method: 'item/commandExecution/requestApproval',
      params: { ...place, itemId, ...wanted.asked, ...more },
    })
  request(wanted.beside)
  askTwice(wanted, request, () => {
    say({ method: 'serverRequest/resolved', params: { threadId: 'T', requestId: requests } })
    say({
      method: 'item/completed',
      params: { ...place, item: { ...item, status: 'completed', exitCode: 0 } },
    })
    say({ method: 'turn/completed', params: { threadId: 'T', turn: { id: 'U', status: 'completed' } } })
  })
}

const options = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
]

function acp({ id, method, params }: Line): void {
  const send = (line: object) => say({ jsonrpc: '2.0', ...line })
  if (method === undefined) return whenAnswered()
  if (method === 'initialize')
    return void send({ id, result: { protocolVersion: 1, agentInfo: { name: 'fake', version: '1' } } })
  if (method === 'session/new') return void send({ id, result: { sessionId: 's' } })
  const wanted = method === 'session/prompt' ? wantedIn(params?.prompt?.[0]?.text) : null
  if (wanted === null) return
  count += 1
  const call =
    kind === 'gemini'
      ? {
          toolCallId: `run_shell_command__run_shell_command_179471069611${count % 10}_${count}`,
          locations: [],
        }
      : { toolCallId: `c${count}`, name: 'shell', title: 'Run' }
  const update = (more: object) =>
    send({
      method: 'session/update',
      params: { sessionId: 's', update: { toolCallId: call.toolCallId, ...more } },
    })
  if (wanted.reported)
    update({
      sessionUpdate: 'tool_call',
      ...call,
      kind: 'execute',
      status: 'pending',
      rawInput: wanted.reported,
    })
  const request = (more: object | undefined) =>
    send({
      id: 100 + (requests += 1),
      method: 'session/request_permission',
      params: {
        sessionId: 's',
        options,
        toolCall: { ...call, status: 'pending', kind: 'execute', ...wanted.asked, ...more },
      },
    })
  request(wanted.beside)
  askTwice(wanted, request, () => {
    update({ sessionUpdate: 'tool_call_update', status: 'completed' })
    send({ id, result: { stopReason: 'end_turn' } })
  })
}

const hear = kind === 'claude' ? claude : kind === 'codex' ? codex : acp
createInterface({ input: process.stdin }).on('line', line => hear(JSON.parse(line) as Line))
