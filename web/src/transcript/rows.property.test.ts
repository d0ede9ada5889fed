import fc from 'fast-check'
import type { Message, MessagePart } from 'dragoman'
import type { ShownMessage } from 'dragoman/client'
import { describe, expect, it } from 'vitest'
import { emptyBook } from './interaction-facts.ts'
import { createRows, type TranscriptInput } from './rows.ts'
import { noChoices, type ThreadChoices } from './thread-rows.ts'

const shown = (message: Message, thread: string | null = null) =>
  ({ message, interaction: 'i1', thread, firstSeq: 1, validity: 'active' }) as ShownMessage

const sends = (call: string): readonly MessagePart[] => [
  { type: 'dynamic-tool', toolCallId: call, toolName: 'Task', state: 'input-available', input: {} },
  {
    type: 'data-subagent',
    id: call,
    data: {
      agent: 'explorer',
      description: 'Look',
      status: 'running',
      toolCalls: 0,
      tokens: 0,
      cost: null,
      lastWords: null,
    },
  },
]

/** A conversation as it stands: each message has words, and may have sent a subagent, which has words of its own. */
interface Talk {
  readonly main: readonly Message[]
  readonly threads: ReadonlyMap<string, readonly Message[]>
  readonly choices: ThreadChoices
}

const says = (id: string, text: string, more: readonly MessagePart[] = []): Message => ({
  id,
  role: 'assistant',
  parts: [{ type: 'text', text, state: 'done' }, ...more],
})

type Step = (talk: Talk) => Talk

const grown = ({ id, parts: [, ...rest] }: Message, text: string): Message => says(id, text, rest)

const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.boolean().map((hasSubagent): Step => talk => {
    const at = talk.main.length
    const message = says(`m${at}`, 'Words', hasSubagent ? sends(`c${at}`) : [])
    return { ...talk, main: [...talk.main, message] }
  }),
  fc.tuple(fc.nat(9), fc.string({ maxLength: 3 })).map(([at, text]): Step => talk => ({
    ...talk,
    main: talk.main.map((each, index) => (index === at ? grown(each, text) : each)),
  })),
  fc.tuple(fc.nat(9), fc.string({ maxLength: 3 })).map(([at, text]): Step => talk => {
    const thread = `c${at}`
    const before = talk.threads.get(thread) ?? []
    const message = says(`${thread}.${before.length}`, text)
    return { ...talk, threads: new Map(talk.threads).set(thread, [...before, message]) }
  }),
  fc.tuple(fc.nat(9), fc.boolean()).map(([at, isOpen]): Step => talk => {
    const chosen = new Map(talk.choices.chosen).set(`c${at}`, isOpen)
    return { ...talk, choices: { ...talk.choices, chosen } }
  }),
)

const inputOf = ({ main, threads, choices }: Talk): TranscriptInput => ({
  older: [],
  conversation: new Map<string | null, readonly ShownMessage[]>([
    [null, main.map(each => shown(each))],
    ...[...threads].map(([thread, said]) => [thread, said.map(each => shown(each, thread))] as const),
  ]),
  book: emptyBook,
  threads: choices,
  outbox: [],
  running: null,
})

describe('the rows of a conversation that goes on', () => {
  it('[W2] are those of the same conversation read at once, and the same objects where nothing changed', () => {
    fc.assert(
      fc.property(fc.array(steps, { minLength: 1, maxLength: 25 }), all => {
        const make = createRows()
        let talk: Talk = { main: [], threads: new Map(), choices: noChoices }
        for (const step of all) {
          talk = step(talk)
          const input = inputOf(talk)
          const rows = make(input)
          expect(rows).toEqual(createRows()(input))
          expect(make(input)).toBe(rows)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('[W2] a subagent that is opened, or grows, in any message but the last is drawn anew', () => {
    const make = createRows()
    const main = [says('m0', 'First', sends('c0')), says('m1', 'Second')]
    const at = (...words: readonly string[]) =>
      make(
        inputOf({
          main,
          threads: new Map([['c0', words.map((each, index) => says(`c0.${index}`, each))]]),
          choices: noChoices,
        }),
      )
    const before = at('One')
    const after = at('One', 'Two')
    expect(after.length).toBeGreaterThan(before.length)
    expect(after.at(-1)).toBe(before.at(-1))
  })
})
