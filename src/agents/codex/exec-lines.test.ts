import { describe, expect, it } from 'vitest'
import type { Json } from '../../protocol/json.ts'
import { assertWellFormed } from '../../protocol/well-formed.ts'
import { partsOf, stored, translateLines } from '../kit/lossless.fixture.ts'
import { codex } from './index.ts'
import { heardOf, linesOf } from './talk.fixture.ts'

type Line = Readonly<Record<string, Json>>

function heard(...lines: readonly (string | Line)[]) {
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
const inTurn = (...lines: readonly Line[]) => heard(...begins, ...lines, ends)
const calls = (said: Pick<ReturnType<typeof heard>, 'messages'>) => partsOf(said, 'dynamic-tool')
const notices = (said: ReturnType<typeof heard>) => partsOf(said, 'data-notice').map(({ data }) => data)
const reasons = ({ messages }: ReturnType<typeof heard>) =>
  messages.map(({ message }) => message.metadata?.reason)
const failing = { type: 'turn.failed', error: { message: 'no more' } }

describe('codex exec --json', () => {
  it.each(['shell-ok', 'shell-fail', 'parallel-tools', 'code-mode', 'apply-patch', 'mcp-tools'])(
    '[A3] %s: the calls are those that the app-server tells, by name, end and output',
    name => {
      const facts = (file: string) =>
        calls(heardOf(file))
          .map(({ toolName, ...part }) => {
            const error = 'errorText' in part ? part.errorText : null
            const output = 'output' in part ? (part.output as Line)['output'] : null
            return JSON.stringify([toolName, part.state, error, output])
          })
          .toSorted()
      expect(facts(`exec-${name}`)).toEqual(facts(name))
    },
  )

  it('[P3] files that change have the shape of the app-server, without a diff', () => {
    expect(calls(heardOf('exec-apply-patch'))[0]?.input).toEqual({
      changes: [
        { path: '/workspace/hello.txt', kind: { type: 'update' } },
        { path: '/workspace/notes.md', kind: { type: 'add' } },
      ],
    })
  })

  it('[P3] a result of an MCP server has the names of the app-server', () => {
    expect(calls(heardOf('exec-mcp-tools'))[0]).toMatchObject({
      output: { content: [{ type: 'text', text: '42' }], structuredContent: { sum: 42 } },
    })
    const error = { message: 'gone' }
    const call = { server: 's', tool: 't', arguments: {}, result: null, error, status: 'failed' }
    expect(calls(inTurn(item('mcp_tool_call', call)))).toMatchObject([
      { toolName: 'mcp__s__t', state: 'output-error', errorText: 'gone' },
    ])
  })

  it('[P3] a search and a call of a helper are calls, too', () => {
    const search = { query: 'q', action: { type: 'open_page', url: 'https://a.b' } }
    const states = { C: { status: 'completed', message: 'done' } }
    const helper = { tool: 'send_input', sender_thread_id: 'T', receiver_thread_ids: ['C'], prompt: 'go' }
    const said = inTurn(
      item('web_search', search),
      item('collab_tool_call', { ...helper, id: 'item_1', agents_states: states, status: 'completed' }),
    )
    expect(calls(said)).toMatchObject([
      { toolName: 'webSearch', input: { query: 'q', action: { type: 'openPage', url: 'https://a.b' } } },
      { toolName: 'sendInput', input: { prompt: 'go' }, output: { agentsStates: states } },
    ])
  })

  it('[P2] the list of things to do is shown as it stands', () => {
    expect(partsOf(heardOf('exec-plan-update'), 'data-todos').map(({ data }) => data.todos)).toEqual([
      [
        { text: 'Read the file', status: 'completed' },
        { text: 'Change it', status: 'completed' },
      ],
    ])
  })

  it('[P5] an item that warns is a notice; one of an unknown kind is shown as it is', () => {
    const said = inTurn(item('error', { message: 'careful' }), item('new_thing', { words: 'NEW' }))
    expect(notices(said)).toMatchObject([{ level: 'warning', message: 'careful' }])
    expect(partsOf(said, 'data-unknown')).toMatchObject([
      { data: { kind: 'item new_thing', native: { words: 'NEW' } } },
    ])
  })

  it('[A3] a field that nobody knows is shown', () => {
    const said = inTurn(item('agent_message', { text: 'a', newField: 'NEW' }))
    expect(partsOf(said, 'data-unknown')).toMatchObject([
      { data: { kind: 'field item agent_message.newField', native: 'NEW' } },
    ])
  })

  it('[P5] an error fails the turn, and is told once; a new try is a notice', () => {
    const said = heard(...begins, { type: 'error', message: 'no more' }, failing)
    expect(notices(said)).toEqual([])
    expect(said.messages[0]?.message.metadata).toMatchObject({
      reason: 'failed',
      error: { message: 'no more' },
    })
    expect(notices(heard(...linesOf('exec-stream-drop-retry')))).toMatchObject([
      { code: 'retrying', message: expect.stringContaining('Reconnecting... 1/2') as string },
    ])
  })

  it('[P5] an error that fails no turn is told by itself', () => {
    const error = { type: 'error', message: 'odd' }
    expect(notices(inTurn(error))).toMatchObject([{ level: 'error', message: 'odd' }])
    expect(notices(heard(error))).toMatchObject([{ level: 'error', message: 'odd' }])
    expect(notices(heard(...begins, error, failing))).toMatchObject([{ message: 'odd' }])
  })

  it('[P7] a thread that is picked up in the same file counts from where it was left', () => {
    const said = heard(...linesOf('exec-resume-1'), ...linesOf('exec-resume-2'))
    expect(partsOf(said, 'data-usage').map(({ data }) => data.tokens)).toEqual([
      { input: 100, output: 30, cacheRead: 20, cacheWrite: 0 },
      { input: 200, output: 60, cacheRead: 40, cacheWrite: 0 },
    ])
  })

  it('[P3] runs that follow each other are one conversation, and their calls have names of their own', () => {
    const said = heard(
      ...linesOf('exec-interrupt'),
      ...linesOf('exec-shell-fail'),
      ...linesOf('exec-shell-ok'),
    )
    expect(said.messages.map(({ thread }) => thread)).toEqual([null, null, null])
    expect(reasons(said)).toEqual(['interrupted', 'finished', 'finished'])
    expect(calls(said).map(({ toolCallId }) => toolCallId)).toEqual(['item_0', '2.item_0', '3.item_1'])
    expect(new Set(partsOf(said, 'data-session').map(({ data }) => data.agentSession)).size).toBe(3)
  })
})
