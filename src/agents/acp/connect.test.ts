import { describe, expect, it } from 'vitest'
import type { ApprovalId } from '../../protocol/ids.ts'
import type { Json } from '../../protocol/json.ts'
import type { PromptPart } from '../../protocol/message.ts'
import type { Answer } from '../agent.ts'
import { answer, methodsIn, connectFake } from './connect.fixture.ts'
import { objectOf } from './messages.ts'

const permissionOptions = [
  { optionId: 'one', name: 'One', kind: 'allow_once' },
  { optionId: 'user', name: 'For the user', kind: 'allow_always' },
  { optionId: 'project', name: 'For the project', kind: 'allow_always' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
]

describe('a connection over ACP', () => {
  it('[A1] initializes, opens a session, sends a prompt and receives the answer', async () => {
    const { ask, sent, connection } = await connectFake()
    expect(await ask('hello')).toBe('Hello')
    expect(methodsIn(sent)).toEqual(['initialize', 'session/new', 'session/prompt'])
    expect(connection.process).toBeTypeOf('number')
    expect(await ask('hello')).toBe('Hello')
  })

  it('[P8] sends images, audio and files as the agent accepts them, and links as links', async () => {
    const parts: readonly PromptPart[] = [
      { type: 'file', url: 'data:image/png;base64,AA==', mediaType: 'image/png' },
      { type: 'file', url: 'data:text/markdown,%23%20Hi', mediaType: 'text/markdown', filename: 'hi.md' },
      { type: 'file', url: 'file:///work/a%20b.txt?x', mediaType: 'text/plain' },
    ]
    const promptCapabilities = { image: true, embeddedContext: true }
    const { ask } = await connectFake({ capabilities: { agentCapabilities: { promptCapabilities } } })
    expect(JSON.parse(await ask('show me', ...parts))).toEqual([
      { type: 'text', text: 'show me' },
      { type: 'image', mimeType: 'image/png', data: 'AA==' },
      { type: 'resource', resource: { uri: 'attachment:///hi.md', mimeType: 'text/markdown', text: '# Hi' } },
      { type: 'resource_link', uri: 'file:///work/a%20b.txt?x', name: 'a%20b.txt', mimeType: 'text/plain' },
    ])
    const plain = await connectFake()
    expect(JSON.parse(await plain.ask('show me', ...parts.slice(1, 2)))).toMatchObject([
      {},
      { type: 'text', text: 'hi.md:\n# Hi' },
    ])
    await expect(plain.ask('show me', ...parts)).rejects.toMatchObject({ code: 'invalid-input' })
  })

  it.each([
    [answer(), 'one'],
    [answer({ always: true }), 'project'],
    [answer({ approved: false }), 'no'],
    [answer({ approved: false, always: true }), 'no'],
    [answer({ input: { optionId: 'user' } }), 'user'],
    [answer({ input: { command: 'another' } }), 'no'],
  ])('[A8] a person’s answer %j chooses the option %s', async (given, chosen) => {
    const { ask, receive, connection } = await connectFake()
    const reply = ask(
      `ask session/request_permission | ${JSON.stringify({ toolCall: { toolCallId: 'c' }, options: permissionOptions })}`,
    )
    await receive(({ method }) => method === 'session/request_permission')
    const isPossible = given.input === undefined || objectOf(given.input)['optionId'] !== undefined
    const refusal = connection.refusal?.('any-connection.ask-0' as ApprovalId, given)
    expect(refusal === null).toBe(isPossible)
    await connection.answer('any-connection.ask-0' as ApprovalId, given)
    expect(JSON.parse(await reply)).toEqual({
      result: { outcome: { outcome: 'selected', optionId: chosen } },
    })
  })

  it.each([
    [
      'a yes where the agent offers only to allow it for good',
      answer(),
      /does not let you allow this just once/,
    ],
    [
      'a no with an option that allows',
      answer({ approved: false, input: { optionId: 'yes' } }),
      /does not reject/,
    ],
    ['a yes with an option that denies', answer({ input: { optionId: 'no' } }), /does not allow/],
  ])('[S10] %s is refused, and never allows the call', async (_, given, sentence) => {
    const { ask, receive, connection } = await connectFake()
    const offered = [
      { optionId: 'yes', name: 'For good', kind: 'allow_always' },
      { optionId: 'no', name: 'No', kind: 'reject_once' },
    ]
    const request = { toolCall: { toolCallId: 'c' }, options: offered }
    const reply = ask(`ask session/request_permission | ${JSON.stringify(request)}`)
    await receive(({ method }) => method === 'session/request_permission')
    expect(connection.refusal?.('any-connection.ask-0' as ApprovalId, given)).toMatch(sentence)
    await connection.answer('any-connection.ask-0' as ApprovalId, given)
    expect(await reply).not.toContain('"yes"')
  })

  it('[A8] a request for input accepts answers to its questions, or raw content', async () => {
    const properties = {
      colour: {
        type: 'string',
        title: 'Colour?',
        oneOf: [
          { const: 'r', title: 'Red' },
          { const: 'b', title: 'Blue' },
        ],
      },
      many: { type: 'array', title: 'Which?', items: { enum: ['x', 'y'] } },
      sure: { type: 'boolean', title: 'Sure?' },
      count: { type: 'integer', title: 'How many?' },
      colour_custom: { type: 'string', title: 'Other' },
    }
    const request = `ask elicitation/create | ${JSON.stringify({ message: 'Tell', mode: 'form', requestedSchema: { properties } })}`
    const answered = async (given: Answer) => {
      const { ask, receive, connection } = await connectFake()
      const reply = ask(request)
      await receive(({ method }) => method === 'elicitation/create')
      await connection.answer('c.ask-0' as ApprovalId, given)
      return (JSON.parse(await reply) as { result: Json }).result
    }
    const answers = { 'Colour?': 'Blue', 'Which?': 'x, y', 'Sure?': 'Yes', 'How many?': '3' }
    expect(await answered(answer({ input: { answers } }))).toEqual({
      action: 'accept',
      content: { colour: 'b', many: ['x', 'y'], sure: true, count: 3 },
    })
    expect(await answered(answer({ input: { colour: 'r' } }))).toEqual({
      action: 'accept',
      content: { colour: 'r' },
    })
    expect(await answered(answer({ approved: false }))).toEqual({ action: 'decline' })
    const own = { 'Colour?': 'Something green', 'Which?': 'x, z' }
    expect(await answered(answer({ input: { answers: own } }))).toEqual({
      action: 'accept',
      content: { colour_custom: 'Something green', many: ['x', 'z'] },
    })
  })

  it('[A8] an interrupt cancels, and pending approvals expire', async () => {
    const { ask, receive, received, sent, connection } = await connectFake()
    const reply = ask(
      `ask session/request_permission | ${JSON.stringify({ toolCall: { toolCallId: 'c' }, options: permissionOptions })}`,
    )
    await receive(({ method }) => method === 'session/request_permission')
    await connection.interrupt()
    expect(JSON.parse(await reply)).toEqual({ result: { outcome: { outcome: 'cancelled' } } })
    expect(methodsIn(sent)).toContain('session/cancel')
    const waits = ask('wait')
    await connection.interrupt()
    await waits
    const ends = received.flatMap(({ result }) => objectOf(result)['stopReason'] ?? [])
    expect(ends).toEqual(['cancelled', 'cancelled'])
    await connection.answer('c.ask-0' as ApprovalId, answer())
  })

  it('[A8] a question that the agent cancels is answered as cancelled', async () => {
    const { ask } = await connectFake()
    expect(JSON.parse(await ask('withdraw session/request_permission | {}'))).toEqual({
      outcome: { outcome: 'cancelled' },
    })
  })

  it('[R2] an unknown request is refused with an error, and a terminal that was not offered is not started', async () => {
    const { ask } = await connectFake()
    for (const method of ['craft/drainMidTurnQueue', 'terminal/create', 'no/such'])
      expect(JSON.parse(await ask(`ask ${method} | {}`))).toMatchObject({ error: { code: -32601 } })
  })
})
