import { describe, expect, it } from 'vitest'
import type { Chunk } from '../../protocol/chunk.ts'
import { ruleOffer } from '../../protocol/rule-scope.ts'
import type { RawMessage } from '../agent.ts'
import {
  begin,
  block,
  endingsIn,
  inThread,
  line,
  only,
  recording,
  result,
  results,
  stop,
  whole,
} from './lines.fixture.ts'

const outputsOf = (chunks: readonly Chunk[]) =>
  Object.fromEntries(
    only(chunks, 'tool-output-available').map(({ toolCallId, output }) => [toolCallId, output]),
  )
const errorsOf = (chunks: readonly Chunk[]) =>
  Object.fromEntries(
    only(chunks, 'tool-output-error').map(({ toolCallId, errorText }) => [toolCallId, errorText]),
  )
const inputsOf = (chunks: readonly Chunk[]) => only(chunks, 'tool-input-available').map(({ input }) => input)

describe('pitfalls of Claude Code: tools', () => {
  it('[P3] 3: a result before the end of its call’s message ends neither step nor call', () => {
    const chunks = inThread(recording('todo-write-disabled'))
    expect(errorsOf(chunks)).toHaveProperty('toolu_01TodoOff')
    expect(only(chunks, 'start-step')).toHaveLength(2)
    const types = chunks.map(({ type }) => type)
    expect(types.indexOf('tool-output-error')).toBeLessThan(types.indexOf('finish-step'))
  })

  it('[P3] 4: parallel results find their calls in any order', () => {
    const chunks = inThread(recording('tool-parallel-one-fails'))
    expect(Object.keys(outputsOf(chunks))).toHaveLength(1)
    expect(Object.keys(errorsOf(chunks))).toHaveLength(1)
  })

  it('[P3] 4: several results in one message, in any of their forms', () => {
    const call = (id: string) => ({ type: 'tool_use', id, name: 'X', input: {} })
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0=' } }
    const chunks = inThread([
      whole('m1', ['a', 'b', 'c', 'd', 'e'].map(call)),
      results([
        { tool_use_id: 'a', type: 'tool_result', content: 'plain' },
        {
          type: 'tool_result',
          is_error: true,
          content: [
            { type: 'text', text: 'one' },
            { type: 'text', text: 'two' },
          ],
          tool_use_id: 'b',
        },
        { type: 'tool_result', is_error: false, content: [image], tool_use_id: 'c' },
        { type: 'tool_result', tool_use_id: 'd' },
        { type: 'tool_result', is_error: true, content: [image], tool_use_id: 'e' },
      ]),
      result(),
    ])
    expect(only(chunks, 'file')).toEqual([
      { type: 'file', url: 'data:image/png;base64,iVBORw0=', mediaType: 'image/png' },
      { type: 'file', url: 'data:image/png;base64,iVBORw0=', mediaType: 'image/png' },
    ])
    expect(outputsOf(chunks)).toEqual({ a: 'plain', c: [image], d: null })
    expect(errorsOf(chunks)).toEqual({ b: 'one\ntwo', e: JSON.stringify([image]) })
  })

  it('[P3] 5: an output is what the model saw, with its fields where there are any; an error is the message', () => {
    const edit = inThread(recording('edit-write'))
    expect(outputsOf(edit)['toolu_01Edit']).toMatchObject({
      content: expect.any(String) as string,
      structured: { structuredPatch: [{}] },
    })
    expect(errorsOf(edit)['toolu_01EditBad']).toContain('String to replace not found')
    const helper = inThread(recording('subagent-foreground-text'), 'toolu_01AgentA')
    expect(outputsOf(helper)['toolu_01SubRead']).toContain('export function greet')
    expect(outputsOf(inThread(recording('structured-output')))['toolu_01SO']).toBe(
      'Structured output provided successfully',
    )
  })

  it('[P3] 6: the whole input replaces the streamed one', () => {
    const inputs = inputsOf(inThread(recording('edit-write')))
    expect(inputs.filter(input => JSON.stringify(input).includes('"replace_all":false'))).toHaveLength(2)
    const half = inThread([
      begin('m1'),
      ...block(
        0,
        { type: 'tool_use', id: 'c', name: 'X', input: {} },
        { type: 'input_json_delta', partial_json: '{"a":1}' },
      ),
      whole('m1', [{ type: 'tool_use', id: 'c', name: 'X', input: { a: 1, b: 2 } }]),
      stop(0),
      result(),
    ])
    expect(inputsOf(half)).toEqual([{ a: 1, b: 2 }])
  })

  it('[P3] 6: an input that a person changed is shown; one that only lacks fields of the call is not', () => {
    const changed = inputsOf(inThread(recording('permission-allow-updated-input.both')))
    expect(changed.at(-1)).toMatchObject({ command: 'mkdir -p made-by-host && echo changed-by-host' })
    expect(inputsOf(inThread(recording('plan-mode.both')))).toEqual([{ plan: '1. Read\n2. Write' }])
    const asked = inputsOf(inThread(recording('ask-user-question.both')))
    expect(asked.at(-1)).toMatchObject({ answers: { 'Which colour?': 'Blue' } })
  })

  it('[T6] 15: each permission request is an approval of its call, and a denial is the call’s error', () => {
    const chunks = inThread(recording('raw-cli-permission.both'))
    expect(only(chunks, 'tool-approval-request').map(({ toolCallId }) => toolCallId)).toEqual([
      'toolu_RawA',
      'toolu_RawB',
    ])
    expect(errorsOf(chunks)).toEqual({ toolu_RawB: 'No deleting.' })
    const nobody = inThread(recording('permission-none'))
    expect(only(nobody, 'tool-approval-request')).toEqual([])
    expect(errorsOf(nobody)['toolu_01BashNone']).toMatch(/needs approval/)
    const stopped = inThread(recording('permission-deny-interrupt.both'))
    expect(endingsIn(stopped)).toMatchObject([{ reason: 'interrupted' }])
  })

  it('[T6] 15: a request for an unknown call makes the call, in the thread of its agent', () => {
    const ask = (agent_id?: string) =>
      line({
        type: 'control_request',
        request_id: 'r1',
        request: {
          subtype: 'can_use_tool',
          tool_name: 'Bash',
          input: { command: 'ls' },
          tool_use_id: 'c1',
          agent_id,
        },
      })
    expect(inputsOf(inThread([ask(), result()]))).toEqual([{ command: 'ls' }])
    const agent = { type: 'tool_use', id: 'a1', name: 'Agent', input: { prompt: 'Go' } }
    const started = line({
      type: 'system',
      subtype: 'task_started',
      task_id: 't1',
      tool_use_id: 'a1',
      task_type: 'local_agent',
      subagent_type: 'x',
    })
    const seen = whole('m2', [{ type: 'tool_use', id: 'c1', name: 'Bash', input: { command: 'ls' } }], {
      parent_tool_use_id: 'a1',
    })
    const inside = inThread([whole('m1', [agent]), started, ask('t1'), seen, result()], 'a1')
    expect(only(inside, 'tool-approval-request')).toHaveLength(1)
    expect(inputsOf(inside)).toEqual([{ command: 'ls' }])
  })

  it('[S10] a question that comes after the step of its call has its own tool, path and input', () => {
    const input = { command: 'npm test' }
    const use = whole('m1', [{ type: 'tool_use', id: 'c1', name: 'Bash', input }])
    const asked = (request: object, between: readonly RawMessage[]) => {
      const ask = { subtype: 'can_use_tool', tool_name: 'Bash', tool_use_id: 'c1', input, ...request }
      const question = line({ type: 'control_request', request_id: 'r1', request: ask })
      const chunks = inThread([use, ...between, question, result()])
      const [approval] = only(chunks, 'tool-approval-request')
      const shown = only(chunks, 'tool-input-available').findLast(
        ({ toolCallId }) => toolCallId === approval?.toolCallId,
      )
      return shown && ruleOffer(shown).rule
    }
    for (const between of [[], [whole('m2', [{ type: 'text', text: 'Next.' }])]]) {
      expect(asked({}, between)).toEqual({ tool: 'Bash', input })
      expect(asked({ blocked_path: '/precious' }, between)).toEqual({
        tool: 'Bash',
        input: { ...input, blocked_path: '/precious' },
      })
      expect(asked({ tool_name: 'PowerShell' }, between)).toEqual({ tool: 'PowerShell', input })
      expect(asked({ tool_name: 'ExitPlanMode' }, between)).toBeNull()
    }
  })

  it('[P3] 21: an output that was put into a file is kept as far as it was sent, with the file’s name', () => {
    const content =
      '<persisted-output>\nOutput too large (1.9MB). Full output saved to: /home/agent/x.txt\n</persisted-output>'
    const lines = [
      whole('m', [{ type: 'tool_use', id: 'c', name: 'Bash', input: {} }]),
      results([{ type: 'tool_result', tool_use_id: 'c', content }], {
        tool_use_result: { stdout: 'long', persistedOutputPath: '/home/agent/x.txt' },
      }),
      result(),
    ]
    expect(outputsOf(inThread(lines))['c']).toEqual({
      content,
      structured: { stdout: 'long', persistedOutputPath: '/home/agent/x.txt' },
    })
  })

  it('[P2] an image from a tool is shown, and kept in the output once', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0=' } }
    const twin = { type: 'image', file: { base64: 'iVBORw0=', type: 'image/png', originalSize: 5 } }
    const call = whole('m', [{ type: 'tool_use', id: 'c', name: 'Read', input: {} }])
    const given = results([{ type: 'tool_result', tool_use_id: 'c', content: [image] }], {
      tool_use_result: twin,
    })
    const chunks = inThread([call, given, result()])
    expect(only(chunks, 'file')).toHaveLength(1)
    const structured = { type: 'image', file: { type: 'image/png', originalSize: 5 } }
    expect(outputsOf(chunks)['c']).toEqual({ content: [image], structured })
    const late = inThread([call, result(), given])
    expect(only(late, 'file')).toEqual([])
    expect(only(late, 'tool-output-available')).toHaveLength(1)
  })

  it('[P2] plans are shown as they are, from any tool that keeps them', () => {
    const lists = (name: string) =>
      only(inThread(recording(name)), 'data-todos').map(({ data }) => data.todos)
    expect(lists('todo-write').at(-1)).toEqual([
      { text: 'Read the code', status: 'completed' },
      { text: 'Write tests', status: 'in-progress' },
    ])
    expect(lists('task-tools').map(todos => todos.map(({ status }) => status))).toEqual([
      ['pending'],
      ['in-progress'],
      ['in-progress'],
    ])
    expect(lists('todo-write-disabled')).toEqual([])
  })
})
