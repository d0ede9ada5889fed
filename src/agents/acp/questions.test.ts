import { describe, expect, it } from 'vitest'
import type { Json } from '../../protocol/json.ts'
import {
  ask,
  call,
  choose,
  chunksOf,
  done,
  news,
  ofType,
  opened,
  options,
  ours,
  prompt,
  text,
  theirs,
  toolsOf,
} from './talk.fixture.ts'

describe('questions over ACP', () => {
  it('[A8] a request for permission may be the first sign of a call; the options go with it', () => {
    const chunks = chunksOf([...opened, prompt(), ask(7, { toolCallId: 'c', title: 'rm', kind: 'execute' })])
    expect(ofType(chunks, 'tool-approval-request')).toMatchObject([
      { approvalId: 'c.ask-7', toolCallId: 'c' },
    ])
    expect(ofType(chunks, 'tool-input-available')).toMatchObject([
      { providerMetadata: { acp: { permission: { options } } } },
    ])
  })

  it('[A8] a refused call of which no more is heard ends as refused, as soon as the agent goes on', () => {
    const refused = [ask(7, { toolCallId: 'c', title: 'rm' }), choose(7, 'no')]
    const error = { state: 'output-error', errorText: 'A person did not allow this.' }
    expect(toolsOf([...refused, text('Then not.'), done()])).toMatchObject([error])
    expect(toolsOf([...refused, call('d', { status: 'completed' }), done()])).toMatchObject([error, {}])
    expect(toolsOf([...refused, done()])).toMatchObject([error])
    expect(toolsOf([ask(7, { toolCallId: 'c' }), choose(7, null), done(3, 'cancelled')])).toMatchObject([
      error,
    ])
  })

  it('[A8] the agent’s own words about a refused call count', () => {
    const own = news('c', { status: 'failed', rawOutput: 'The user said no.' })
    expect(
      toolsOf([call('c', { rawInput: { a: 1 } }), ask(7, { toolCallId: 'c' }), choose(7, 'no'), own, done()]),
    ).toMatchObject([{ state: 'output-error', errorText: 'The user said no.' }])
    const chunks = chunksOf([...opened, prompt(), ask(7, { toolCallId: 'c' }), choose(7, 'no'), own, done()])
    expect(ofType(chunks, 'tool-input-available')).toHaveLength(1)
  })

  it('[A8] a call stays as it was asked about; where the request shows another input, both are kept', () => {
    const lines = [
      call('c', { title: 'edit', rawInput: { path: 'a', text: 'b' }, status: 'in_progress' }),
      ask(7, { toolCallId: 'c', rawInput: { diff: '+b' } }),
      news('c', { rawInput: { path: 'other' } }),
    ]
    const asked = ofType(chunksOf([...opened, prompt(), ...lines]), 'tool-input-available')
    expect(asked.at(-1)).toMatchObject({
      input: { path: 'a', text: 'b' },
      providerMetadata: { acp: { permission: { rawInput: { diff: '+b' } } } },
    })
    expect(
      toolsOf([...lines, choose(7, 'yes'), news('c', { status: 'completed' }), done()])[0]?.input,
    ).toEqual({ path: 'other' })
  })

  it('[A8] a call that has ended asks under another name, and so does what is no call', () => {
    const over = [
      call('c', { name: 'exec', status: 'failed' }),
      ask('q.1', { toolCallId: 'c', rawInput: { again: true } }),
    ]
    expect(ofType(chunksOf([...opened, prompt(), ...over]), 'tool-approval-request')).toMatchObject([
      { approvalId: 'c.ask-s-q_1', toolCallId: 'c.call-s-q_1' },
    ])
    const command = theirs({
      id: 1,
      method: 'session/request_permission',
      params: { title: 'Run?', subject: { type: 'command', command: 'ls' }, options },
    })
    expect(toolsOf([command, choose(1, 'yes'), done()])).toMatchObject([
      { toolName: 'command', title: 'Run?', input: { command: 'ls' } },
    ])
  })

  it('[A8] a question that nobody prompted keeps its answer open until it is answered', () => {
    const before = [...opened, prompt(), done()]
    const asked = chunksOf([...before, ask(7, { toolCallId: 'c', title: 'x' })])
    expect(ofType(asked, 'finish')).toHaveLength(1)
    const answered = chunksOf([...before, ask(7, { toolCallId: 'c', title: 'x' }), choose(7, 'yes')])
    expect(ofType(answered, 'finish')).toHaveLength(2)
  })

  it('[A8] a tool that asks questions is asked about itself, and gives its own answer', () => {
    const questions = [{ question: 'Which?', options: [{ label: 'Red' }] }]
    const request = theirs({
      id: 5,
      method: 'elicitation/create',
      params: { sessionId: 's', toolCallId: 'c', message: 'Which?', mode: 'form' },
    })
    const lines = [call('c', { name: 'AskUserQuestion', rawInput: { questions } }), request]
    const chunks = chunksOf([...opened, prompt(), ...lines])
    expect(ofType(chunks, 'tool-approval-request')).toMatchObject([{ toolCallId: 'c' }])
    const reply = ours({ id: 5, result: { action: 'decline' } })
    const end = news('c', { status: 'completed', rawOutput: 'No answer.' })
    expect(toolsOf([...lines, reply, end, done()])).toMatchObject([
      { toolName: 'AskUserQuestion', output: { output: 'No answer.' } },
    ])
    const beside = [call('c', { name: 'mcp', rawInput: { a: 1 } }), request, reply, end, done()]
    expect(toolsOf(beside).map(({ toolName }) => toolName)).toEqual(['mcp', 'AskUser'])
  })

  it('[A8] a request for input is a question, with choices where it has some', () => {
    const form = (properties: Json) =>
      theirs({
        id: 5,
        method: 'elicitation/create',
        params: {
          sessionId: 's',
          message: 'Which?',
          mode: 'form',
          requestedSchema: { type: 'object', properties },
        },
      })
    const reply = ours({ id: 5, result: { action: 'accept', content: { colour: 'red' } } })
    const [question] = toolsOf([form({ colour: { type: 'string', enum: ['red', 'blue'] } }), reply, done()])
    expect(question).toMatchObject({
      toolName: 'AskUser',
      title: 'Which?',
      input: { questions: [{ question: 'Which?', options: ['red', 'blue'], multiSelect: false }] },
      output: { rawOutput: { action: 'accept', content: { colour: 'red' } } },
    })
    const [open] = toolsOf([form({ name: { type: 'string' } }), reply, done()])
    expect(open?.input).not.toHaveProperty('questions')
  })
})
