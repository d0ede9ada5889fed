import { describe, expect, it } from 'vitest'
import type { Message, MessagePart, ToolPart } from 'dragoman'
import type { ShownMessage } from 'dragoman/client'
import { emptyBook } from './interaction-facts.ts'
import { createRows } from './rows.ts'
import { noSteps } from './step-rows.ts'
import { noChoices } from './thread-rows.ts'

const answer = (id: string, ...parts: readonly MessagePart[]): Message => ({ id, role: 'assistant', parts })
const text = (words: string): MessagePart => ({ type: 'text', text: words, state: 'done' })
const task = (): ToolPart => ({
  type: 'dynamic-tool',
  toolCallId: 'a',
  toolName: 'Task',
  state: 'output-available',
  input: {},
  output: 'out',
})
const shown = (message: Message, thread: string | null = null) =>
  ({ message, interaction: 'i1', thread, firstSeq: 1, validity: 'active' }) as ShownMessage

const input = (main: readonly ShownMessage[], spoken: readonly ShownMessage[] = []) => ({
  older: [],
  conversation: new Map<string | null, readonly ShownMessage[]>([
    [null, main],
    ...(spoken.length > 0 ? [['a', spoken] as const] : []),
  ]),
  book: emptyBook,
  threads: noChoices,
  steps: noSteps,
  outbox: [],
  running: null,
})

describe('the rows of subagents', () => {
  it('[W2] replace a call when its thread starts, even if more text followed', () => {
    const make = createRows()
    const kinds = (...given: Parameters<typeof input>) => make(input(...given)).map(({ kind }) => kind)
    const main = [shown(answer('m', task())), shown(answer('n', text('I go on')))]
    expect(kinds(main)).toEqual(['tool', 'footer', 'text', 'footer'])
    const spoken = [shown(answer('ma', text('I look')), 'a')]
    expect(kinds(main, spoken)).toEqual(['subagent', 'text', 'footer', 'tool', 'footer', 'text', 'footer'])
  })

  it('[W2] start with a header that has the current call', () => {
    const make = createRows()
    const data = { agent: 'explorer', description: 'Look', status: 'completed', toolCalls: 1 } as const
    const report: MessagePart = {
      type: 'data-subagent',
      id: 'a',
      data: { ...data, tokens: 5, cost: null, lastWords: null },
    }
    const headerOf = (part: ToolPart) => make(input([shown(answer('m', part, report))]))[0]
    const [before, after] = [task(), task()]
    const header = headerOf(before)
    expect(header).toMatchObject({ kind: 'subagent' })
    expect(headerOf(before)).toBe(header)
    expect(headerOf(after)).not.toBe(header)
  })
})
