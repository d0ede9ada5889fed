import { describe, expect, it } from 'vitest'
import { openParts, questionIn } from '../../protocol/open-parts.ts'
import { isSameScope, ruleOffer } from '../../protocol/rule-scope.ts'
import type { JsonObject } from './messages.ts'
import type { Json } from '../../protocol/json.ts'
import { readLong } from '../kit/long-line.fixture.ts'
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
} from './lines.fixture.ts'

describe('questions over ACP', () => {
  it('[A8] a permission request may be the first message of a call; its options are kept', () => {
    const chunks = chunksOf([...opened, prompt(), ask(7, { toolCallId: 'c', title: 'rm', kind: 'execute' })])
    expect(ofType(chunks, 'tool-approval-request')).toMatchObject([
      { approvalId: 'c.ask-7', toolCallId: 'c' },
    ])
    expect(ofType(chunks, 'tool-input-available')).toMatchObject([
      { providerMetadata: { acp: { permission: { options } } } },
    ])
  })

  it('[A8] a denied call without further messages ends as denied when the agent continues', () => {
    const refused = [ask(7, { toolCallId: 'c', title: 'rm' }), choose(7, 'no')]
    const error = { state: 'output-error', errorText: 'A person did not allow this.' }
    expect(toolsOf([...refused, text('Then not.'), done()])).toMatchObject([error])
    expect(toolsOf([...refused, call('d', { status: 'completed' }), done()])).toMatchObject([error, {}])
    expect(toolsOf([...refused, done()])).toMatchObject([error])
  })

  it('[A8] a call whose question expired with a stop is not shown as denied by a person', () => {
    const stopped = [ask(7, { toolCallId: 'c', title: 'rm' }), choose(7, null), done(3, 'cancelled')]
    expect(toolsOf(stopped)).toMatchObject([
      { state: 'output-error', errorText: 'Not run: it was stopped before anyone answered.' },
    ])
  })

  it.each([{}, { rawInput: { path: '/f' } }])(
    '[A18] a file change that is too long to show whole is marked as cut, with any facts about the call: %j',
    async known => {
      const content = [{ type: 'diff', path: '/f', oldText: '', newText: 'x'.repeat(5_000_000) }]
      const long = await readLong(ask(7, { toolCallId: 't', kind: 'edit', content }).text)
      const chunks = chunksOf([...opened, prompt(), call('t', { kind: 'edit', ...known }), long])
      const open = chunks.reduce(
        (parts, chunk) => openParts.apply(parts, { thread: null, chunk }),
        openParts.initial,
      )
      expect(questionIn(open, 'c.ask-7')).toMatchObject({ isCut: true })
    },
  )

  it('[S10] a request without rawInput reports no input, so no rule can be made of it', () => {
    const asked = (facts: JsonObject) => {
      const chunks = chunksOf([...opened, prompt(), ask(7, { toolCallId: 'c', title: 'rm -rf x', ...facts })])
      const shown = ofType(chunks, 'tool-input-available').at(-1)
      return shown && ruleOffer(shown).rule
    }
    expect(asked({ kind: 'execute' })).toBeNull()
    expect(asked({ kind: 'execute', rawInput: {} })).toBeNull()
    expect(asked({ kind: 'execute', rawInput: { cmd: ['rm', '-rf', 'x'] } })).toMatchObject({
      input: { cmd: ['rm', '-rf', 'x'] },
    })
  })

  it('[S10] a rule compares all that a request shows in addition to the input, and none covers what the agent remembers itself', () => {
    const offered = (more: JsonObject, facts: JsonObject = {}) => {
      const toolCall = { toolCallId: 'c', title: 'Edit a', kind: 'edit', rawInput: { path: 'a' }, ...facts }
      const request = { sessionId: 's', toolCall, options, ...more }
      const line = theirs({ id: 7, method: 'session/request_permission', params: request })
      const shown = ofType(chunksOf([...opened, prompt(), line]), 'tool-input-available').at(-1)
      return shown === undefined ? null : ruleOffer(shown).rule
    }
    const diff = (newText: string) => [{ type: 'diff', path: 'a', oldText: 'x', newText }]
    const granted = offered({}, { content: diff('good') })
    const same = offered({}, { content: diff('good') })
    expect(granted !== null && same !== null && isSameScope(granted, same)).toBe(true)
    const others = [
      offered({}, { content: diff('evil') }),
      offered({}),
      offered({}, { content: diff('good'), locations: [{ path: '/etc/passwd' }] }),
      offered({}, { content: diff('good'), kind: 'execute' }),
      offered({}, { content: diff('good'), title: 'rm -rf ~' }),
      offered({ title: 'Other' }, { content: diff('good') }),
      offered({ description: 'Other' }, { content: diff('good') }),
      offered({ subject: { type: 'command', command: 'curl evil' } }, { content: diff('good') }),
    ]
    expect(others.map(other => granted !== null && other !== null && isSameScope(granted, other))).toEqual(
      others.map(() => false),
    )
    expect(offered({ options: [{ optionId: 'forever', name: 'Always', kind: 'allow_always' }] })).toBeNull()
  })

  it('[S10] a command in the subject of a request is shown with its arguments and environment', () => {
    const subject = { type: 'command', command: 'npm', args: ['publish'], env: { PATH: '/evil' } }
    const line = theirs({ id: 7, method: 'session/request_permission', params: { subject, options } })
    const { type: _, ...input } = subject
    expect(ofType(chunksOf([...opened, prompt(), line]), 'tool-input-available').at(-1)).toMatchObject({
      input,
    })
  })

  it('[A8] the agent’s own text about a refused call is used', () => {
    const own = news('c', { status: 'failed', rawOutput: 'The user said no.' })
    expect(
      toolsOf([call('c', { rawInput: { a: 1 } }), ask(7, { toolCallId: 'c' }), choose(7, 'no'), own, done()]),
    ).toMatchObject([{ state: 'output-error', errorText: 'The user said no.' }])
    const chunks = chunksOf([...opened, prompt(), ask(7, { toolCallId: 'c' }), choose(7, 'no'), own, done()])
    expect(ofType(chunks, 'tool-input-available')).toHaveLength(1)
  })

  it('[S10] a permission request with a different input shows that input and keeps the earlier one', () => {
    const lines = [
      call('c', { title: 'edit', rawInput: { path: 'a', text: 'b' }, status: 'in_progress' }),
      ask(7, { toolCallId: 'c', rawInput: { diff: '+b' } }),
      news('c', { rawInput: { path: 'other' } }),
    ]
    const asked = ofType(chunksOf([...opened, prompt(), ...lines]), 'tool-input-available')
    expect(asked.at(-1)).toMatchObject({
      input: { diff: '+b' },
      providerMetadata: { dragoman: { earlierInput: { path: 'a', text: 'b' } } },
    })
    expect(
      toolsOf([...lines, choose(7, 'yes'), news('c', { status: 'completed' }), done()])[0]?.input,
    ).toEqual({ path: 'other' })
  })

  it('[S10] a question of another session is about its own call, also when ours has one of the same id', () => {
    const ourCall = call('c', { name: 'Read', title: 'a', rawInput: { path: 'a' } })
    const asked = (facts: JsonObject) => {
      const params = { sessionId: 'other', toolCall: { toolCallId: 'c', ...facts }, options }
      const line = theirs({ id: 7, method: 'session/request_permission', params })
      const chunks = chunksOf([...opened, prompt(), ourCall, line])
      const [request] = ofType(chunks, 'tool-approval-request')
      const shown = ofType(chunks, 'tool-input-available').findLast(
        ({ toolCallId }) => toolCallId === request?.toolCallId,
      )
      return shown && { tool: shown.toolName, ...ruleOffer(shown) }
    }
    expect(asked({ name: 'Delete', rawInput: { path: 'a' } })).toMatchObject({
      tool: 'Delete',
      rule: { tool: 'Delete', input: { path: 'a' } },
    })
    expect(asked({ title: 'a', kind: 'delete' })).toMatchObject({ tool: 'a', rule: null })
  })

  it('[S10] a question about a call of an earlier answer is asked at once, with the input of the request', () => {
    const asked = (reported: JsonObject, facts: JsonObject) => {
      const lines = [call('c', reported), done(), prompt(4), ask(7, { toolCallId: 'c', ...facts })]
      const chunks = chunksOf([...opened, prompt(), ...lines])
      const [request] = ofType(chunks, 'tool-approval-request')
      const shown = ofType(chunks, 'tool-input-available').findLast(
        ({ toolCallId }) => toolCallId === request?.toolCallId,
      )
      return shown && { tool: shown.toolName, ...ruleOffer(shown) }
    }
    const title = { title: 'npm test', kind: 'execute' }
    expect(asked(title, title)).toMatchObject({ tool: 'execute', rule: null })
    const rawInput = { path: 'a' }
    expect(asked({ name: 'Read', rawInput }, { name: 'Delete', kind: 'delete', rawInput })).toMatchObject({
      tool: 'Delete',
      rule: { input: { path: 'a', shown: { kind: 'delete' } } },
    })
  })

  it('[A8] a question about an ended call, or about no call, gets its own call', () => {
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

  it('[A8] a question without a prompt keeps its answer open until it is answered', () => {
    const before = [...opened, prompt(), done()]
    const asked = chunksOf([...before, ask(7, { toolCallId: 'c', title: 'x' })])
    expect(ofType(asked, 'finish')).toHaveLength(1)
    const answered = chunksOf([...before, ask(7, { toolCallId: 'c', title: 'x' }), choose(7, 'yes')])
    expect(ofType(answered, 'finish')).toHaveLength(2)
  })

  it('[A8] a tool that asks questions is asked in its own call, and reports its own answer', () => {
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
