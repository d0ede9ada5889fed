import { readUIMessageStream, validateUIMessages, type UIMessage } from 'ai'
import { describe, expect, it } from 'vitest'
import type { Chunk } from './chunk.ts'
import { createDialectV7, type DialectV7, type NewThreadChunk } from './dialect-v7.ts'

const ours = { dynamic: true, providerExecuted: true } as const
const start: Chunk = { type: 'start', messageId: 'm' }
const step: Chunk = { type: 'start-step' }
const call = (toolCallId: string): Chunk => ({
  type: 'tool-input-available',
  toolCallId,
  toolName: 'Bash',
  input: {},
  ...ours,
})
const ask = (approvalId: string, toolCallId: string): Chunk => ({
  type: 'tool-approval-request',
  approvalId,
  toolCallId,
})
const failure = (toolCallId: string): Chunk => ({
  type: 'tool-output-error',
  toolCallId,
  errorText: 'No.',
  ...ours,
})
const text = (id: string): readonly Chunk[] => [
  { type: 'text-start', id },
  { type: 'text-delta', id, delta: id },
  { type: 'text-end', id },
]
const retracted = (ids: readonly string[], indexes: readonly number[]): Chunk => ({
  type: 'data-retracted',
  data: { ids, indexes },
})
const image: Chunk = { type: 'file', url: 'data:,', mediaType: 'image/png' }

const say = (dialect: DialectV7, ...chunks: readonly Chunk[]) =>
  chunks.flatMap(chunk => dialect.say({ thread: null, chunk }))

async function read(said: readonly NewThreadChunk[]): Promise<UIMessage | undefined> {
  const stream = new ReadableStream<never>({
    start(controller) {
      for (const { chunk } of said) controller.enqueue(chunk as never)
      controller.close()
    },
  })
  let message: UIMessage | undefined
  for await (const each of readUIMessageStream({ stream })) message = each
  return message
}

describe('createDialectV7', () => {
  it('[P1] recognizes a denial by its chunk, not by an error', () => {
    const chunks = [
      ask('a', 'c'),
      { type: 'tool-output-denied', toolCallId: 'c' } as const,
      ask('b', 'd'),
      failure('d'),
    ]
    expect(say(createDialectV7(), ...chunks).map(({ chunk }) => chunk)).toEqual([
      chunks[0],
      { type: 'tool-approval-response', approvalId: 'a', approved: false },
      ...chunks.slice(1),
    ])
  })

  it('[P1] sends an answer once when it is given, and a failure after a denial as a denial', async () => {
    const dialect = createDialectV7()
    const said = [
      ...say(dialect, start, call('c'), ask('a', 'c')),
      ...dialect.answer({ approval: 'a', approved: false, reason: 'Not today.' }),
      ...dialect.answer({ approval: 'a', approved: true, reason: null }),
      ...dialect.answer({ approval: 'never asked', approved: true, reason: null }),
      ...say(dialect, failure('c')),
    ]
    const message = await read(said)
    expect(message?.parts).toMatchObject([
      { state: 'output-denied', approval: { id: 'a', approved: false, reason: 'Not today.' } },
    ])
    await expect(validateUIMessages({ messages: [message] })).resolves.toHaveLength(1)
  })

  it('[P1] resets only the parts of a step', async () => {
    const texts = async (...chunks: readonly Chunk[]) =>
      (await read(say(createDialectV7(), start, ...chunks)))?.parts.map(part =>
        part.type === 'text' ? part.text : part.type,
      )
    expect(await texts(step, ...text('a'), retracted(['a'], [1]), ...text('b'))).toEqual(['step-start', 'b'])
    // The image was not retracted, so it must not disappear with the second text.
    const mixed = [step, image, ...text('a'), retracted(['a'], [2]), ...text('b'), retracted(['b'], [4])]
    expect(await texts(...mixed)).toContain('file')
    const reopened = [
      step,
      ...text('a'),
      { type: 'finish' } as const,
      start,
      ...text('b'),
      retracted(['b'], [2]),
    ]
    expect(await texts(...reopened)).toContain('a')
  })

  it('[P1] uses the indexes of parts that a client has after a reset', async () => {
    const said = say(
      createDialectV7(),
      start,
      step,
      ...text('gone'),
      retracted(['gone'], [1]),
      image,
      ...text('wrong'),
      retracted(['wrong'], [4]),
    )
    const message = await read(said)
    const last = said.at(-1)?.chunk
    const index = last?.type === 'data-retracted' ? (last.data.indexes[0] ?? -1) : -1
    expect(message?.parts[index]).toMatchObject({ type: 'text', text: 'wrong' })
  })

  it('[P1] sends an answer only in the message of its approval', async () => {
    const dialect = createDialectV7()
    const first = say(dialect, start, step, call('c'), ask('a', 'c'), failure('c'), { type: 'finish' })
    const again = say(dialect, { type: 'start', messageId: 'n' }, step, call('c'), failure('c'))
    expect(dialect.answer({ approval: 'a', approved: false, reason: null })).toEqual([])
    const late = say(dialect, failure('c'))
    expect([...again, ...late].map(({ chunk }) => chunk.type)).toEqual([
      'start',
      'start-step',
      'tool-input-available',
      'tool-output-error',
      'tool-output-error',
    ])
    for (const said of [first, [...again, ...late]]) expect(await read(said)).toBeDefined()
    // When it is reopened, the first message can still report the answer.
    const other = createDialectV7()
    const asked = say(other, start, step, call('c'), ask('a', 'c'), { type: 'finish' })
    const between = say(other, { type: 'start', messageId: 'n' }, step, call('c'), { type: 'finish' })
    const result: Chunk = { type: 'tool-output-available', toolCallId: 'c', output: null, ...ours }
    const reopened = say(other, start, result)
    expect(between.map(({ chunk }) => chunk.type)).not.toContain('tool-approval-response')
    expect((await read([...asked, ...reopened]))?.parts).toMatchObject([
      { type: 'step-start' },
      { state: 'output-available', approval: { id: 'a', approved: true } },
    ])
  })
})
