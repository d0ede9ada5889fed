import type { Json } from '../../protocol/json.ts'
import type { ConnectionId } from '../../protocol/ids.ts'
import type { RawMessage, Translation } from '../agent.ts'
import { build, initialParts, notice, type Op, type Parts } from '../kit/parts.ts'
import { noticeOf, readJson, unknownOf } from '../kit/parse-json.ts'
import { agentLine, type AgentLine } from './messages.ts'

const agent = 'scripted'

/** The state before the scripted agent's first line. */
export const initial = (connection: ConnectionId): Parts => initialParts(agent, connection)

/** Translates the scripted agent's lines. Our own lines add nothing, because the agent repeats what matters. */
export function translate(parts: Parts, raw: RawMessage): Translation<Parts> {
  if (raw.from === 'host') return [parts, []]
  const reading = readJson(raw)
  if (reading.type === 'unreadable') return build(parts, [noticeOf(reading)])
  const line = agentLine.safeParse(reading.value)
  if (!line.success) return build(parts, [unknownOf(agent, kindOf(reading.value), raw, reading.value)])
  const thread = 'thread' in line.data ? line.data.thread : undefined
  return build(parts, opsOf(line.data, parts.session.model), typeof thread === 'string' ? thread : null)
}

function kindOf(line: Readonly<Record<string, Json>>): string {
  return typeof line['type'] === 'string' ? line['type'] : 'untyped'
}

type Meanings = {
  readonly [Type in AgentLine['type']]: (
    line: Extract<AgentLine, { readonly type: Type }>,
    model: string | null,
  ) => readonly Op[]
}

const meanings: Meanings = {
  hello: ({ session: agentSession, version, model, cwd }) => [
    { type: 'session', data: { agentSession, version, model, cwd } },
  ],
  begin: () => [{ type: 'begin' }],
  text: ({ key, delta }) => [{ type: 'text', key, delta }],
  thinking: ({ key, delta }) => [{ type: 'thinking', key, delta }],
  end: ({ key }) => [{ type: 'end', key }],
  message: ({ content }) => content.map(finalOf),
  call: ({ call, tool }) => [{ type: 'call', call, tool }],
  'call-input': ({ call, delta }) => [{ type: 'call-input', call, delta }],
  'call-ready': ({ call, tool, input }) => [{ type: 'call-ready', call, tool, input }],
  progress: ({ call, output }) => [{ type: 'result', call, output, preliminary: true }],
  result: ({ call, output }) => [{ type: 'result', call, output }],
  failure: ({ call, error }) => [{ type: 'failure', call, error }],
  ask: ({ call, approval }) => [{ type: 'ask', call, approval }],
  subagent: ({ call, agent: name, description }) => [
    { type: 'subagent', call, news: { agent: name, description, status: 'running' } },
  ],
  'subagent-end': ({ call, status, tokens, cost }) => [
    { type: 'subagent', call, news: { status, tokens, cost } },
  ],
  image: ({ url, mediaType }) => [{ type: 'show', chunk: { type: 'file', url, mediaType } }],
  todos: ({ todos }) => [{ type: 'show', chunk: { type: 'data-todos', id: 'todos', data: { todos } } }],
  notice: ({ level, code, message }) => [notice(level, code, message)],
  retract: ({ keys }) => [{ type: 'retract', keys }],
  // The totals include subagents, so they count once, in the main thread.
  'step-end': (line, model) => [
    ...(line.thread === undefined ? [usageOf(line, model)] : []),
    { type: 'step-end' },
  ],
  done: (line, model) => {
    const { reason, error, tokens, cost, duration } = line
    const ending = { reason, tokens, cost, duration, ...(error ? { error } : {}) }
    return [usageOf(line, model), { type: 'finish', ...ending }]
  },
  heartbeat: () => [],
}

function opsOf(line: AgentLine, model: string | null): readonly Op[] {
  const meaning = meanings[line.type] as (line: AgentLine, model: string | null) => readonly Op[]
  return meaning(line, model)
}

type Content = Extract<AgentLine, { readonly type: 'message' }>['content'][number]

function finalOf(content: Content): Op {
  if (content.type === 'call')
    return { type: 'call-ready', call: content.call, tool: content.tool, input: content.input }
  return { type: 'final', kind: content.type, key: content.key, text: content.text }
}

type Usage = Pick<Extract<AgentLine, { readonly type: 'step-end' }>, 'tokens' | 'cost'>

function usageOf({ tokens, cost }: Usage, model: string | null): Op {
  return { type: 'show', chunk: { type: 'data-usage', id: 'usage', data: { tokens, cost, model } } }
}
