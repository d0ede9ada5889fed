import { describe, expect, it } from 'vitest'
import type { Json } from '../../protocol/json.ts'
import { migrateInSteps } from './migrate.ts'
import { conversationOf, createMessagesView, emptyMessagesView, flatten, migrate } from './index.ts'

const call = (id: string) => ({ type: 'tool_use', id, name: 'Read', input: {} })
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'x' })
const user = (content: Json): Json => ({ role: 'user', content })
const assistant = (content: Json): Json => ({ role: 'assistant', content })

describe('an old array as interactions', () => {
  it('[X9] an interaction starts at each user message that is not only tool results', () => {
    const { interactions } = migrate('s', 'anthropic-messages', [
      user('one'),
      assistant([call('t1')]),
      user([result('t1')]),
      assistant('done'),
      user([{ type: 'text', text: 'two' }]),
      assistant([call('t2')]),
      user([result('t2'), { type: 'text', text: 'and stop' }]),
    ])
    expect(interactions.map(({ messages }) => messages.length)).toEqual([4, 2, 1])
    expect(interactions.map(({ trigger }) => trigger)).toEqual(['user', 'user', 'user'])
  })

  it('[X9] messages before the first user message are a synthetic interaction', () => {
    const { interactions } = migrate('s', 'openai-chat', [
      { role: 'system', content: 'Be kind.' },
      { role: 'assistant', content: 'Hello.' },
      { role: 'user', content: 'Hi.' },
    ])
    expect(interactions.map(({ trigger, messages }) => [trigger, messages.length])).toEqual([
      ['synthetic', 2],
      ['user', 1],
    ])
  })

  it('[X9] results without a call, and second results, are kept outside the context', () => {
    const old: readonly Json[] = [
      user('go'),
      assistant([call('t1')]),
      user([result('t1'), result('t1'), result('lost')]),
      assistant('done'),
    ]
    const migrated = migrate('s', 'anthropic-messages', old)
    const [, , answers] = migrated.interactions[0]?.messages ?? []
    expect(answers?.parts.length).toBe(1)
    expect(answers?.outside.map(({ why }) => why)).toEqual(['legacy-duplicate', 'legacy-orphan'])
    expect(conversationOf(migrated).messages[2]?.parts.length).toBe(1)
    expect(flatten(migrated)).toEqual(old)
  })

  it('[X9] two equal messages are two messages', () => {
    const { interactions } = migrate('s', 'anthropic-messages', [user('yes'), user('yes')])
    const ids = interactions.flatMap(({ messages }) => messages.map(({ id }) => id))
    expect(new Set(ids).size).toBe(2)
    expect(interactions.length).toBe(2)
  })

  it('[X9] a message of a role that does not exist starts nothing and is kept outside the context', () => {
    const old: readonly Json[] = [
      user('go'),
      { role: 'narrator', content: 'Meanwhile …' },
      null,
      assistant('done'),
    ]
    const migrated = migrate('s', 'anthropic-messages', old)
    expect(migrated.interactions.length).toBe(1)
    const [, narrator, nothing] = migrated.interactions[0]?.messages ?? []
    expect(narrator?.outside.map(({ why }) => why)).toEqual(['legacy-role'])
    expect(nothing?.outside.map(({ why }) => why)).toEqual(['legacy-role'])
    expect(conversationOf(migrated).messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
    expect(flatten(migrated)).toEqual(old)
  })

  it('[X9] a tool message without a call is an orphan, and is not sent', () => {
    const old: readonly Json[] = [user('go'), { role: 'tool', content: 'OUT' }]
    const migrated = migrate('s', 'openai-chat', old)
    const [, orphan] = migrated.interactions[0]?.messages ?? []
    expect(orphan?.outside.map(({ why }) => why)).toEqual(['legacy-orphan'])
    expect(JSON.stringify(conversationOf(migrated))).not.toContain('OUT')
  })

  it('[X9] messages of AI SDK 4 are parsed: content, reasoning, calls, attachments', () => {
    const old: readonly Json[] = [
      {
        id: 'u',
        role: 'user',
        content: 'look',
        experimental_attachments: [{ name: 'a.png', contentType: 'image/png', url: 'https://x.example/a' }],
      },
      {
        id: 'a',
        role: 'assistant',
        content: 'seen',
        reasoning: 'hm',
        toolInvocations: [{ state: 'result', toolCallId: 't', toolName: 'f', args: { p: 1 }, result: 'OUT' }],
      },
      {
        id: 'b',
        role: 'assistant',
        content: '',
        parts: [
          { type: 'reasoning', reasoning: 'so' },
          {
            type: 'tool-invocation',
            toolInvocation: { state: 'call', toolCallId: 't2', toolName: 'g', args: {} },
          },
        ],
      },
    ]
    const migrated = migrate('s', 'ui-messages', old)
    expect(flatten(migrated)).toEqual(old)
    expect(
      conversationOf(migrated).messages.map(({ parts }) =>
        parts.map(part => ('text' in part ? part.text : 'tool' in part ? part.tool : part.kind)),
      ),
    ).toEqual([
      ['file', 'look'],
      ['hm', 'f', 'f', 'seen'],
      ['so', 'g'],
    ])
  })

  it('[X9] a `function` message, as OpenAI’s first tools had it, starts no interaction', () => {
    const { interactions } = migrate('s', 'openai-chat', [
      { role: 'user', content: 'go' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'x' },
      { role: 'function', name: 'f', content: 'y' },
    ])
    expect(interactions.length).toBe(1)
  })

  it('[X9] ids depend on the session', () => {
    const [one, other] = ['a', 'b'].map(session =>
      migrate(session, 'ui-messages', [{ id: 'u', role: 'user', parts: [] }]),
    )
    expect(one?.interactions[0]?.id).not.toBe(other?.interactions[0]?.id)
  })
})

describe('the flat `messages` view', () => {
  it('[X9] reads, pushes, cuts and replaces as before', () => {
    const view = createMessagesView(
      migrate('s', 'anthropic-messages', { model: 'm', messages: [user('one')] }),
    )
    const before = view.migrated()
    view.messages.push(assistant('hello'))
    expect(view.messages.length).toBe(2)
    expect(view.migrated().interactions[0]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
    expect(view.migrated().interactions[0]?.id).toBe(before.interactions[0]?.id)
    expect(flatten(view.migrated())).toEqual({ model: 'm', messages: [user('one'), assistant('hello')] })
    view.messages.pop()
    expect(view.migrated()).toEqual(before)
    view.messages = [user('other')]
    expect(flatten(view.migrated())).toEqual({ model: 'm', messages: [user('other')] })
  })

  it('[X9] starts empty', () => {
    const view = emptyMessagesView('s', 'ui-messages')
    view.messages.push({ id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Hi' }] })
    expect(view.migrated().interactions.length).toBe(1)
  })
})

describe('migrating in steps', () => {
  /** How many steps there are, and the result of the last. */
  const stepsOf = (
    format: 'anthropic-messages' | 'openai-chat' | 'ui-messages',
    messages: readonly Json[],
  ) => {
    const steps = migrateInSteps('s', format, messages)
    for (let count = 0; ; count++) {
      const step = steps.next()
      if (step.done === true) return { count, migrated: step.value }
    }
  }

  it('[X9] [S12] reading, pairing and naming a message is a step each, and the result is the same', () => {
    const messages = Array.from({ length: 50 }, (_, at) => (at % 2 === 0 ? user('one') : assistant('two')))
    for (const format of ['anthropic-messages', 'openai-chat', 'ui-messages'] as const) {
      const { count, migrated } = stepsOf(format, messages)
      expect(count).toBe(3 * messages.length)
      expect(migrated).toEqual(migrate('s', format, messages))
    }
  })

  it('[X9] [S12] encoding and hashing a long message takes a step for each half MiB', () => {
    expect(stepsOf('openai-chat', [user('x'.repeat(4 << 20))]).count).toBe(3 + 9 + 9)
  })

  it('[X9] [S12] a result among calls with one id answers the call before it, else the oldest of its tool', () => {
    const twice = [call('t'), call('t'), result('t'), result('t'), result('t')]
    const { interactions } = migrate('s', 'anthropic-messages', [user('one'), assistant(twice)])
    const outside = interactions.flatMap(({ messages }) => messages.flatMap(each => each.outside))
    expect(outside.map(({ why }) => why)).toEqual(['legacy-duplicate'])
  })
})
