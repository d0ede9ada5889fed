import { describe, expect, it } from 'vitest'
import type { DataParts, Message, MessagePart, ToolPart } from 'dragoman'
import type { Outgoing, ShownMessage } from 'dragoman/client'
import { emptyBook, learnEntries, learnPage, type InteractionBook } from './interaction-facts.ts'
import type { Row } from './row.ts'
import { createRows, type TranscriptInput } from './rows.ts'
import { noSteps } from './step-rows.ts'
import { noChoices } from './thread-rows.ts'

const hour = 3_600_000
const noon = new Date(2026, 4, 4, 12).getTime()

const prompt = (id: string, text = 'Hello'): Message => ({
  id,
  role: 'user',
  parts: [{ type: 'text', text }],
})
const answer = (id: string, ...parts: readonly MessagePart[]): Message => ({ id, role: 'assistant', parts })
const text = (words: string, state: 'streaming' | 'done' = 'done'): MessagePart => ({
  type: 'text',
  text: words,
  state,
})
const call = (toolCallId: string, toolName = 'Read'): ToolPart => ({
  type: 'dynamic-tool',
  toolCallId,
  toolName,
  state: 'output-available',
  input: {},
  output: 'out',
})
const used = { toolCalls: 1, tokens: 5, cost: null, lastWords: null }
const report = (id: string, status: DataParts['subagent']['status'] = 'completed'): MessagePart => ({
  type: 'data-subagent',
  id,
  data: { agent: 'explorer', description: 'Look', status, ...used },
})
const shown = (
  message: Message,
  interaction: string | null = 'i1',
  thread: string | null = null,
): ShownMessage => ({ message, interaction, thread, firstSeq: 1, validity: 'active' }) as ShownMessage

type Page = Parameters<typeof learnPage>[1]

const interaction = (id: string, at: number, more: Partial<Page[number]> = {}): Page[number] => ({
  id,
  trigger: 'user',
  agent: 'scripted',
  prompt: null,
  state: 'closed',
  outcome: 'finished',
  reason: null,
  start: { seq: 1, at },
  stop: { seq: 2, at: at + 1000 },
  validity: 'active',
  deleted: false,
  pinned: false,
  messages: [],
  work: { pending: 0, success: 0, failure: 0, partial: 0 },
  ...more,
})

const bookOf = (...interactions: Page): InteractionBook => learnPage(emptyBook, interactions)

const choices = { threads: noChoices, steps: noSteps }
const silence = { ...choices, older: [], book: emptyBook, outbox: [], running: null }

const input = (
  main: readonly ShownMessage[],
  more: Partial<TranscriptInput> & {
    readonly spoken?: Readonly<Record<string, readonly ShownMessage[]>>
  } = {},
): TranscriptInput => {
  const { spoken = {}, ...rest } = more
  const conversation = new Map<string | null, readonly ShownMessage[]>([
    [null, main],
    ...Object.entries(spoken),
  ])
  return { ...silence, conversation, ...rest }
}

const kinds = (rows: readonly Row[]) => rows.map(({ kind, depth }) => `${'>'.repeat(depth)}${kind}`)

describe('the rows of a transcript', () => {
  it('[W2] show each part of a message separately, and skip parts without content', () => {
    const message = answer(
      'm',
      { type: 'data-session', data: { agent: 'a', agentSession: null, model: null, cwd: null } },
      { type: 'step-start' },
      { type: 'reasoning', text: 'Hm', state: 'done' },
      { type: 'reasoning', text: '', state: 'done' },
      text('Words'),
      text('  '),
      call('c1'),
      { type: 'data-notice', data: { level: 'warning', code: 'retry', message: 'Again' } },
      { type: 'data-notice', data: { level: 'info', code: 'compacted', message: 'Summed up' } },
      { type: 'data-unknown', data: { agent: 'a', kind: 'odd', native: null } },
      { type: 'source-url', sourceId: '1', url: 'https://a.example' },
      { type: 'source-url', sourceId: '2', url: 'https://b.example' },
      { type: 'file', url: 'data:image/png;base64,', mediaType: 'image/png' },
      { type: 'data-retracted', data: { ids: ['x'], indexes: [3] } },
      { type: 'data-todos', data: { todos: [] } },
      {
        type: 'data-usage',
        data: { tokens: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 }, cost: 1, model: 'x' },
      },
    )
    const rows = createRows()(input([shown(prompt('p')), shown(message)]))
    expect(kinds(rows)).toEqual([
      'prompt',
      'thinking',
      'text',
      'tool',
      'notice',
      'compaction',
      'unknown',
      'sources',
      'file',
      'footer',
    ])
    expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length)
  })

  it('[W2] mark a shortened output', () => {
    const shortened = { toolCallId: 'c1', bytes: 5000, seq: 9 }
    const rows = createRows()(
      input([shown(answer('m', call('c1'), { type: 'data-shortened', data: shortened }))]),
    )
    expect(rows[0]).toMatchObject({ kind: 'tool', shortened })
  })

  it('[W2] change in one row for a delta, and keep all others', () => {
    const make = createRows()
    const old = Array.from({ length: 200 }, (_, at) => [
      shown(prompt(`p${at}`), `i${at}`),
      shown(answer(`m${at}`, text('Words'), call(`c${at}`)), `i${at}`),
    ]).flat()
    const parts = [text('Before'), call('c')]
    const running = { interaction: 'i', waiting: false }
    const streamed = (words: string) => [...old, shown(answer('m', ...parts, text(words, 'streaming')), 'i')]
    const before = make(input(streamed('One'), { running }))
    const after = make(input(streamed('One two'), { running }))
    expect(after.filter((row, at) => row !== before[at])).toMatchObject([{ kind: 'text', text: 'One two' }])
    expect(after.map(({ key }) => key)).toEqual(before.map(({ key }) => key))
    expect(make(input(streamed('One two'), { running })).at(-1)).toBe(after.at(-1))
  })

  it('[W2] distinguish a queued session from a running one', () => {
    const make = createRows()
    const tail = (places: number | null) =>
      make(input([shown(prompt('p'))], { running: { interaction: 'i', waiting: false, places } })).at(-1)
    expect(tail(8)).toMatchObject({ kind: 'working', places: 8 })
    expect(tail(null)).toMatchObject({ kind: 'working', places: null })
    expect(tail(null)).toBe(tail(null))
  })

  it('[W2] are the same list when nothing changed', () => {
    const make = createRows()
    const main = [shown(prompt('p')), shown(answer('m', text('Words')))]
    expect(make(input(main))).toBe(make(input([...main])))
  })

  it('[W2] take little time for a delta, however long the conversation is', () => {
    const main = Array.from({ length: 10_000 }, (_, at) =>
      shown(answer(`m${at}`, text('Words'), call(`c${at}`)), `i${at}`),
    )
    const timed = (run: () => unknown) => {
      const before = process.threadCpuUsage()
      run()
      const { user, system } = process.threadCpuUsage(before)
      return user + system
    }
    const make = createRows()
    const whole = timed(() => make(input(main)))
    const deltas = Array.from({ length: 20 }, (_, at) => {
      const next = input([...main.slice(0, -1), shown(answer('m9999', text(`Words ${at}`)), 'i9999')])
      return timed(() => make(next))
    })
    expect(deltas.toSorted((a, b) => a - b)[10]).toBeLessThan(whole / 5)
  })

  it('[W2] nest subagents under the call that started them, to any depth', () => {
    const main = [shown(answer('m', text('I send someone'), call('a', 'Task'), report('a'), text('Done')))]
    const spoken = {
      a: [shown(answer('ma', text('I look'), call('b', 'Task'), report('b')), 'i1', 'a')],
      b: [shown(answer('mb', call('c')), 'i1', 'b')],
    }
    const rows = createRows()(input(main, { spoken }))
    expect(kinds(rows)).toEqual([
      'text',
      'subagent',
      '>text',
      '>subagent',
      '>>tool',
      '>>footer',
      '>>tool',
      '>footer',
      '>tool',
      'text',
      'footer',
    ])
    expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length)
  })

  it('[W2] keep finished subagents closed, and open them on request', () => {
    const make = createRows()
    const main = [shown(answer('m', call('a', 'Task'), report('a')))]
    expect(make(input(main))).toMatchObject([{ kind: 'subagent', open: false }, { kind: 'footer' }])
    const chosen = new Map([['a', true]])
    const loading = make(input(main, { threads: { chosen, fetched: new Map() } }))
    expect(loading[0]).toMatchObject({ open: true, state: 'loading' })
    const fetched = new Map([['a', { messages: [answer('ma', text('I look'))] }]])
    expect(kinds(make(input(main, { threads: { chosen, fetched } })))).toEqual([
      'subagent',
      '>text',
      '>footer',
      '>tool',
      'footer',
    ])
  })

  it('[W2] keep the live messages of a subagent, and close them on request', () => {
    const make = createRows()
    const main = [shown(answer('m', call('a', 'Task'), report('a')))]
    const spoken = { a: [shown(answer('ma', text('I look')), 'i1', 'a')] }
    make(input(main, { spoken }))
    expect(kinds(make(input(main)))).toContain('>text')
    const closed = { chosen: new Map([['a', false]]), fetched: new Map() }
    expect(kinds(make(input(main, { threads: closed })))).not.toContain('>text')
  })

  it('[W2] change in one row when a subagent adds text', () => {
    const make = createRows()
    const main = [shown(prompt('p')), shown(answer('m', call('a', 'Task'), report('a', 'running')))]
    const inner = call('x')
    const texts = (words: string) => ({
      a: [shown(answer('ma', inner, text(words, 'streaming')), 'i1', 'a')],
    })
    const running = { interaction: 'i1', waiting: false }
    const before = make(input(main, { spoken: texts('One'), running }))
    const after = make(input(main, { spoken: texts('One two'), running }))
    expect(after.filter((row, at) => row !== before[at]).map(({ kind }) => kind)).toEqual(['text'])
  })

  it('[W2] mark days and interactions', () => {
    const main = [
      shown(prompt('p1'), 'i1'),
      shown(prompt('p2'), 'i2'),
      shown(answer('m2', text('Words')), 'i2'),
      shown(answer('m3', text('By myself')), 'i3'),
      shown(prompt('p4'), 'i4'),
    ]
    const book = bookOf(
      interaction('i1', noon),
      interaction('i2', noon + hour),
      interaction('i3', noon + 2 * hour, { trigger: 'agent' }),
      interaction('i4', noon + 24 * hour),
    )
    expect(kinds(createRows()(input(main, { book })))).toEqual([
      'day',
      'prompt',
      'boundary',
      'prompt',
      'text',
      'footer',
      'boundary',
      'text',
      'footer',
      'day',
      'prompt',
    ])
  })

  it('[W2] show the time of an interaction only after a pause', () => {
    const minutes = 60_000
    const main = ['i1', 'i2', 'i3', 'i4'].map(id => shown(prompt(`p ${id}`), id))
    const book = bookOf(
      interaction('i1', noon, { stop: { seq: 2, at: noon + 50 * minutes } }),
      interaction('i2', noon + 79 * minutes, { stop: { seq: 4, at: noon + 80 * minutes } }),
      interaction('i3', noon + 110 * minutes, { stop: null, outcome: null }),
      interaction('i4', noon + 111 * minutes),
    )
    const boundaries = createRows()(input(main, { book })).filter(row => row.kind === 'boundary')
    expect(boundaries.map(({ afterPause }) => afterPause)).toEqual([false, true, false])
  })

  it('[W2] state why an interaction failed, after its last message or after the prompt', () => {
    const main = [shown(prompt('p1'), 'i1'), shown(prompt('p2'), 'i2'), shown(answer('m2', text('I')), 'i2')]
    const book = bookOf(
      interaction('i1', noon, { outcome: 'failed', reason: 'It is not installed.' }),
      interaction('i2', noon, { outcome: 'interrupted' }),
    )
    const rows = createRows()(input(main, { book }))
    expect(kinds(rows)).toEqual(['day', 'prompt', 'ending', 'boundary', 'prompt', 'text', 'footer', 'ending'])
    expect(rows[2]).toMatchObject({ outcome: 'failed', reason: 'It is not installed.' })
  })

  it('[W2] state why a message failed when its interaction is unknown', () => {
    const failed = {
      ...answer('m', text('I')),
      metadata: { reason: 'failed', error: { message: 'Overloaded.' } },
    }
    expect(createRows()(input([shown(failed, null)]))).toMatchObject([
      { kind: 'text' },
      { kind: 'ending', reason: 'Overloaded.' },
      { kind: 'footer' },
    ])
  })

  it('[W2] mark a handover to another agent', () => {
    const main = [shown(prompt('p1'), 'i1'), shown(prompt('p2'), 'i2')]
    const book = bookOf(interaction('i1', noon), interaction('i2', noon, { agent: 'codex' }))
    expect(createRows()(input(main, { book }))).toContainEqual(
      expect.objectContaining({ kind: 'handover', before: 'scripted', agent: 'codex' }),
    )
  })

  it('[W2] find the interactions of older messages in the server’s list', () => {
    const book = bookOf(interaction('i1', noon, { messages: [{ id: 'p1', thread: null, role: 'user' }] }))
    const rows = createRows()(input([], { older: [prompt('p1')], book }))
    expect(rows).toMatchObject([{ kind: 'day' }, { kind: 'prompt', at: noon }])
  })

  it('[W2] keep their keys and objects when older messages are added before them', () => {
    const make = createRows()
    const main = [shown(prompt('p2'), null), shown(answer('m2', text('Words')), null)]
    const before = make(input(main))
    const after = make(input(main, { older: [prompt('p1'), answer('m1', text('Before'))] }))
    expect(after.slice(-before.length)).toEqual(before)
    expect(after.slice(-before.length).every((row, at) => row === before[at])).toBe(true)
  })

  it('[W2] end with the running turn and unsent prompts', () => {
    const outgoing: Outgoing = {
      id: 'o',
      session: 's',
      at: 0,
      parts: [{ type: 'text', text: 'Later' }],
      state: 'queued',
      seq: null,
      refusal: null,
    }
    const rowsWhen = (waiting: boolean) =>
      createRows()(
        input([shown(answer('m', text('I')))], {
          running: { interaction: 'i1', waiting },
          outbox: [outgoing],
        }),
      )
    expect(kinds(rowsWhen(false))).toEqual(['text', 'working', 'outgoing'])
    expect(kinds(rowsWhen(true))).toEqual(['text', 'outgoing'])
  })

  it('[W2] learn about interactions from events', () => {
    const entry = (seq: number, event: object) => ({ session: 's', seq, id: `${seq}`, at: seq * 1000, event })
    const entries = [
      entry(1, {
        type: 'interaction-started',
        interaction: 'i',
        trigger: 'user',
        agent: 'codex',
        prompt: null,
        parts: [],
      }),
      entry(2, { type: 'agent-logged', connection: 'c', text: '' }),
      entry(3, { type: 'interaction-ended', interaction: 'i', outcome: 'failed', reason: 'No.', chunks: [] }),
    ] as unknown as Parameters<typeof learnEntries>[1]
    const book = learnEntries(emptyBook, entries)
    expect(book.facts.get('i')).toMatchObject({
      startedAt: 1000,
      endedAt: 3000,
      outcome: 'failed',
      reason: 'No.',
    })
    expect(learnEntries(book, entries.slice(1, 2))).toBe(book)
    // A later change to it still applies.
    expect(learnPage(book, [interaction('i', 1000, { validity: 'archived' })]).facts.get('i')).toMatchObject({
      outcome: 'failed',
      validity: 'archived',
    })
    // A page that was read before the end does not undo it.
    expect(
      learnPage(book, [interaction('i', 1000, { outcome: null, stop: null })]).facts.get('i')?.outcome,
    ).toBe('failed')
  })

  it('[W6] show for each message whether its interaction is still active', () => {
    const make = createRows()
    const main = [shown(prompt('p')), shown(answer('a', text('Yes.')))]
    const footers = (rows: readonly Row[]) => rows.flatMap(row => (row.kind === 'footer' ? row.validity : []))
    const book = bookOf(interaction('i1', noon))
    expect(footers(make(input(main, { book })))).toEqual(['active'])
    const later = learnPage(book, [interaction('i1', noon, { validity: 'archived' })])
    expect(footers(make(input(main, { book: later })))).toEqual(['archived'])
  })
})
