import fc from 'fast-check'
import type { Message, MessagePart } from 'dragoman'
import type { ShownMessage } from 'dragoman/client'
import { describe, expect, it } from 'vitest'
import { emptyBook } from './interaction-facts.ts'
import { createRows, type RunningNow, type TranscriptInput } from './rows.ts'
import { noSteps, toggled, withSteps, type StepChoices } from './step-rows.ts'
import { noChoices, type ThreadChoices } from './thread-rows.ts'

const shownMessages = new WeakMap<Message, ShownMessage>()
const shownThreads = new WeakMap<readonly Message[], readonly ShownMessage[]>()

/** The same object for the same message, as the client gives it. */
function shown(message: Message, thread: string | null): ShownMessage {
  const known =
    shownMessages.get(message) ??
    ({ message, interaction: 'i1', thread, firstSeq: 1, validity: 'active' } as ShownMessage)
  shownMessages.set(message, known)
  return known
}

function shownThread(messages: readonly Message[], thread: string | null): readonly ShownMessage[] {
  const known = shownThreads.get(messages) ?? messages.map(each => shown(each, thread))
  shownThreads.set(messages, known)
  return known
}

const subagent = (call: string): readonly MessagePart[] => [
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

/** A conversation: each message has text and may start a subagent, which has messages too. */
interface Talk {
  readonly main: readonly Message[]
  readonly threads: ReadonlyMap<string, readonly Message[]>
  readonly choices: ThreadChoices
  readonly folds: StepChoices
  readonly running: RunningNow | null
}

const noTalk: Talk = { main: [], threads: new Map(), choices: noChoices, folds: noSteps, running: null }

const answer = (id: string, text: string, more: readonly MessagePart[] = []): Message => ({
  id,
  role: 'assistant',
  parts: [{ type: 'text', text, state: 'done' }, ...more],
})

type Step = (talk: Talk) => Talk

const withText = ({ id, parts: [, ...rest] }: Message, text: string): Message => answer(id, text, rest)

const anyText = fc.string({ maxLength: 3 })

/** Streams text at the end of a message: more of the part that streams already, or a new part. */
function stream({ parts, ...message }: Message, type: 'text' | 'reasoning', text: string): Message {
  const last = parts.at(-1)
  const part: MessagePart = { type, text, state: 'streaming' }
  const isOpen = last?.type === type && last.state === 'streaming'
  return { ...message, parts: isOpen ? [...parts.slice(0, -1), part] : [...parts, part] }
}

const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.boolean().map((hasSubagent): Step => talk => {
    const at = talk.main.length
    const message = answer(`m${at}`, 'Words', hasSubagent ? subagent(`c${at}`) : [])
    return { ...talk, main: [...talk.main, message] }
  }),
  fc.tuple(fc.nat(9), anyText).map(([at, text]): Step => talk => ({
    ...talk,
    main: talk.main.map((each, index) => (index === at ? withText(each, text) : each)),
  })),
  fc.tuple(fc.constantFrom('text', 'reasoning'), anyText).map(([type, text]): Step => talk => ({
    ...talk,
    main: talk.main.map((each, at) => (at === talk.main.length - 1 ? stream(each, type, text) : each)),
  })),
  fc.boolean().map((isRunning): Step => talk => ({
    ...talk,
    running: isRunning ? (talk.running ?? { interaction: 'i1', waiting: false }) : null,
  })),
  fc.tuple(fc.nat(9), anyText).map(([at, text]): Step => talk => {
    const thread = `c${at}`
    const before = talk.threads.get(thread) ?? []
    const message = answer(`${thread}.${before.length}`, text)
    return { ...talk, threads: new Map(talk.threads).set(thread, [...before, message]) }
  }),
  fc.tuple(fc.nat(9), fc.boolean()).map(([at, isOpen]): Step => talk => {
    const chosen = new Map(talk.choices.chosen).set(`c${at}`, isOpen)
    return { ...talk, choices: { ...talk.choices, chosen } }
  }),
)

/** A finished step of an agent: a thought, or a call that went well or failed. */
const anyWork: fc.Arbitrary<(id: string) => MessagePart> = fc
  .constantFrom('thought', 'thought', 'done', 'done', 'failed', 'running')
  .map(kind => id => {
    const call = { type: 'dynamic-tool', toolCallId: id, toolName: 'Read', input: {} } as const
    if (kind === 'thought') return { type: 'reasoning', id, text: `Thought ${id}`, state: 'done' }
    if (kind === 'done') return { ...call, state: 'output-available', output: id }
    if (kind === 'failed') return { ...call, state: 'output-error', errorText: id }
    return { ...call, state: 'input-available' }
  })

const working: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(fc.nat(5), fc.array(anyWork, { minLength: 5, maxLength: 8 })).map(([at, work]): Step => talk => ({
    ...talk,
    main: talk.main.map((each, index) => {
      const { parts, id } = each
      const more = work.map((make, step) => make(`${id}.${parts.length + step}`))
      return index === at ? { ...each, parts: [...parts, ...more] } : each
    }),
  })),
  fc.tuple(fc.nat(9), fc.boolean()).map(([at, isOpen]): Step => talk => {
    const runs = createRows()(inputOf(talk)).filter(({ kind }) => kind === 'steps')
    const run = runs[at % Math.max(1, runs.length)]
    if (run === undefined) return talk
    return { ...talk, folds: { ...talk.folds, open: toggled(talk.folds.open, run.key, isOpen) } }
  }),
  fc.boolean().map((isWatched): Step => talk => ({
    ...talk,
    folds: { ...talk.folds, watched: isWatched ? 'i1' : null },
  })),
)

const inputOf = ({ main, threads, choices, folds, running }: Talk): TranscriptInput => ({
  older: none,
  conversation: new Map<string | null, readonly ShownMessage[]>([
    [null, shownThread(main, null)],
    ...[...threads].map(([thread, messages]) => [thread, shownThread(messages, thread)] as const),
  ]),
  book: emptyBook,
  threads: choices,
  steps: folds,
  outbox: none,
  running,
})

const none: readonly never[] = []

describe('the rows of a growing conversation', () => {
  it('[W2] equal the rows made at once, and unchanged rows are the same objects', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(steps, working), { minLength: 1, maxLength: 25 }), all => {
        const make = createRows()
        let talk = noTalk
        for (const step of all) {
          talk = step(talk)
          const input = inputOf(talk)
          const rows = make(input)
          expect(rows).toEqual(createRows()(input))
          expect(make(input)).toBe(rows)
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('[W2] with folded runs of steps, no step is lost, and the order stays', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(steps, working), { minLength: 1, maxLength: 25 }), all => {
        const make = createRows()
        let talk = noTalk
        for (const step of all) {
          talk = step(talk)
          const folded = make(inputOf(talk))
          const whole = createRows()(inputOf({ ...talk, folds: { ...noSteps, watched: 'i1' } }))
          expect(withSteps(folded).filter(({ kind }) => kind !== 'steps')).toEqual(whole)
          for (const row of folded) if (row.kind === 'steps') expect(row.steps.length).toBeGreaterThan(4)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('[W2] fold a long run of finished steps, unless it is watched or opened, and keep the rows of other messages', () => {
    const make = createRows()
    const call = (id: string): MessagePart => ({
      type: 'dynamic-tool',
      toolCallId: id,
      toolName: 'Read',
      state: 'output-available',
      input: {},
      output: '',
    })
    const run = (id: string, count: number) =>
      answer(
        id,
        'First',
        Array.from({ length: count }, (_, at) => call(`${id}.${at}`)),
      )
    const main = [run('m0', 4), run('m1', 12), run('m2', 6)]
    const kindsOf = (folds: Partial<StepChoices>) =>
      make(inputOf({ ...noTalk, main, folds: { ...noSteps, ...folds } }))
    const calls = (count: number) => Array.from({ length: count }, () => 'tool')
    const folded = ['text', 'steps', 'footer']
    const closed = kindsOf({})
    expect(closed.map(({ kind }) => kind)).toEqual(['text', ...calls(4), 'footer', ...folded, ...folded])
    const open = kindsOf({ open: new Set([closed[7]?.key ?? '']) })
    expect(open.map(({ kind }) => kind).slice(6)).toEqual([
      'text',
      'steps',
      ...calls(12),
      'footer',
      ...folded,
    ])
    expect(open.slice(0, 7)).toEqual(closed.slice(0, 7))
    expect(open.at(-2)).toBe(closed.at(-2))
    expect(kindsOf({ watched: 'i1' }).map(({ kind }) => kind)).not.toContain('steps')
  })

  it('[W2] show a subagent again that is opened or grows in any message but the last', () => {
    const make = createRows()
    const main = [answer('m0', 'First', subagent('c0')), answer('m1', 'Second')]
    const at = (...texts: readonly string[]) =>
      make(
        inputOf({
          ...noTalk,
          main,
          threads: new Map([['c0', texts.map((text, index) => answer(`c0.${index}`, text))]]),
        }),
      )
    const before = at('One')
    const after = at('One', 'Two')
    expect(after.length).toBeGreaterThan(before.length)
    expect(after.at(-1)).toBe(before.at(-1))
  })

  it('[W2] change in one row when text streams in, without looking at another message', () => {
    const make = createRows()
    const running = { interaction: 'i1', waiting: false }
    const old = answer('m0', 'Before')
    const at = (message: Message) => make(inputOf({ ...noTalk, running, main: [old, message] }))
    const first = stream(answer('m1', 'Done'), 'text', 'One')
    const before = at(first)
    Object.defineProperty(old, 'parts', { get: () => expect.fail('An unchanged message was read.') })
    const after = at(stream(first, 'text', 'One two'))
    expect(after.filter((row, index) => row !== before[index])).toMatchObject([{ text: 'One two' }])
  })
})
