import { describe, expect, it } from 'vitest'
import type { Json } from '../../protocol/json.ts'
import { assertWellFormed } from '../../protocol/well-formed.ts'
import { partsOf, stored, translateLines } from '../kit/lossless.fixture.ts'
import { codex } from './index.ts'
import { linesOf, translatedRecording } from './talk.fixture.ts'

type Line = Readonly<Record<string, Json>>

function translated(...lines: readonly (string | Line)[]) {
  const chunks = translateLines(
    codex,
    lines.map(line => (typeof line === 'string' ? line : JSON.stringify(line))),
  )
  assertWellFormed(chunks)
  return { chunks, messages: stored(chunks) }
}

const begins = [{ type: 'thread.started', thread_id: 'T' }, { type: 'turn.started' }]
const ends = { type: 'turn.completed', usage: { input_tokens: 9, cached_input_tokens: 4, output_tokens: 2 } }
const item = (type: string, more: Line) => ({ type: 'item.completed', item: { id: 'item_0', type, ...more } })
const inTurn = (...lines: readonly Line[]) => translated(...begins, ...lines, ends)
const calls = (result: Pick<ReturnType<typeof translated>, 'messages'>) => partsOf(result, 'dynamic-tool')
const notices = (result: ReturnType<typeof translated>) =>
  partsOf(result, 'data-notice').map(({ data }) => data)
const reasons = ({ messages }: ReturnType<typeof translated>) =>
  messages.map(({ message }) => message.metadata?.reason)
const failing = { type: 'turn.failed', error: { message: 'no more' } }

describe('codex exec --json', () => {
  it.each(['shell-ok', 'shell-fail', 'parallel-tools', 'code-mode', 'apply-patch', 'mcp-tools'])(
    '[A3] %s: the calls have the names, outcomes and outputs of the app-server',
    name => {
      const facts = (file: string) =>
        calls(translatedRecording(file))
          .map(({ toolName, ...part }) => {
            const error = 'errorText' in part ? part.errorText : null
            const output = 'output' in part ? (part.output as Line)['output'] : null
            return JSON.stringify([toolName, part.state, error, output])
          })
          .toSorted()
      expect(facts(`exec-${name}`)).toEqual(facts(name))
    },
  )

  it('[P3] file changes have the shape of the app-server, without a diff', () => {
    expect(calls(translatedRecording('exec-apply-patch'))[0]?.input).toEqual({
      changes: [
        { path: '/workspace/hello.txt', kind: { type: 'update' } },
        { path: '/workspace/notes.md', kind: { type: 'add' } },
      ],
    })
  })

  it('[P3] a result of an MCP server has the field names of the app-server', () => {
    expect(calls(translatedRecording('exec-mcp-tools'))[0]).toMatchObject({
      output: { content: [{ type: 'text', text: '42' }], structuredContent: { sum: 42 } },
    })
    const error = { message: 'gone' }
    const call = { server: 's', tool: 't', arguments: {}, result: null, error, status: 'failed' }
    expect(calls(inTurn(item('mcp_tool_call', call)))).toMatchObject([
      { toolName: 'mcp__s__t', state: 'output-error', errorText: 'gone' },
    ])
  })

  it('[P3] a search and a call of a subagent are tool calls', () => {
    const search = { query: 'q', action: { type: 'open_page', url: 'https://a.b' } }
    const states = { C: { status: 'completed', message: 'done' } }
    const helper = { tool: 'send_input', sender_thread_id: 'T', receiver_thread_ids: ['C'], prompt: 'go' }
    const result = inTurn(
      item('web_search', search),
      item('collab_tool_call', { ...helper, id: 'item_1', agents_states: states, status: 'completed' }),
    )
    expect(calls(result)).toMatchObject([
      { toolName: 'webSearch', input: { query: 'q', action: { type: 'openPage', url: 'https://a.b' } } },
      { toolName: 'sendInput', input: { prompt: 'go' }, output: { agentsStates: states } },
    ])
  })

  it('[P2] the current todo list is shown', () => {
    expect(
      partsOf(translatedRecording('exec-plan-update'), 'data-todos').map(({ data }) => data.todos),
    ).toEqual([
      [
        { text: 'Read the file', status: 'completed' },
        { text: 'Change it', status: 'completed' },
      ],
    ])
  })

  it('[P5] an item with a warning is a notice; an item of an unknown kind is shown as it is', () => {
    const result = inTurn(item('error', { message: 'careful' }), item('new_thing', { words: 'NEW' }))
    expect(notices(result)).toMatchObject([{ level: 'warning', message: 'careful' }])
    expect(partsOf(result, 'data-unknown')).toMatchObject([
      { data: { kind: 'item new_thing', native: { words: 'NEW' } } },
    ])
  })

  it('[A3] an unknown field is shown', () => {
    const result = inTurn(item('agent_message', { text: 'a', newField: 'NEW' }))
    expect(partsOf(result, 'data-unknown')).toMatchObject([
      { data: { kind: 'field item agent_message.newField', native: 'NEW' } },
    ])
  })

  it('[P5] an error fails the turn, and is shown once; a retry is a notice', () => {
    const result = translated(...begins, { type: 'error', message: 'no more' }, failing)
    expect(notices(result)).toEqual([])
    expect(result.messages[0]?.message.metadata).toMatchObject({
      reason: 'failed',
      error: { message: 'no more' },
    })
    expect(notices(translated(...linesOf('exec-stream-drop-retry')))).toMatchObject([
      { code: 'retrying', message: expect.stringContaining('Reconnecting... 1/2') as string },
    ])
  })

  it('[P5] an error that fails no turn is a notice', () => {
    const error = { type: 'error', message: 'odd' }
    expect(notices(inTurn(error))).toMatchObject([{ level: 'error', message: 'odd' }])
    expect(notices(translated(error))).toMatchObject([{ level: 'error', message: 'odd' }])
    expect(notices(translated(...begins, error, failing))).toMatchObject([{ message: 'odd' }])
  })

  it('[P7] a thread that is resumed in the same file counts from its last total', () => {
    const result = translated(...linesOf('exec-resume-1'), ...linesOf('exec-resume-2'))
    expect(partsOf(result, 'data-usage').map(({ data }) => data.tokens)).toEqual([
      { input: 100, output: 30, cacheRead: 20, cacheWrite: 0 },
      { input: 200, output: 60, cacheRead: 40, cacheWrite: 0 },
    ])
  })

  it('[P3] consecutive runs are one conversation, and their calls have different ids', () => {
    const result = translated(
      ...linesOf('exec-interrupt'),
      ...linesOf('exec-shell-fail'),
      ...linesOf('exec-shell-ok'),
    )
    expect(result.messages.map(({ thread }) => thread)).toEqual([null, null, null])
    expect(reasons(result)).toEqual(['interrupted', 'finished', 'finished'])
    expect(calls(result).map(({ toolCallId }) => toolCallId)).toEqual(['item_0', '2.item_0', '3.item_1'])
    expect(new Set(partsOf(result, 'data-session').map(({ data }) => data.agentSession)).size).toBe(3)
  })
})
