import * as fc from 'fast-check'
import type { Chunk, Thread, ThreadChunk } from '../protocol/chunk.ts'
import type { Entry } from '../protocol/entry.ts'
import type { Event } from '../protocol/event.ts'
import { foldEntries } from './fold.ts'
import {
  answered,
  call,
  created,
  ended,
  finish,
  journal,
  output,
  said,
  start,
  started,
} from './journal.fixture.ts'
import { createMessages } from './messages.ts'
import { wellFormedStream } from './well-formed-stream.arbitrary.ts'

interface Plan {
  readonly main: readonly Chunk[]
  readonly side: readonly Chunk[]
  /** How many of the main message's re-openings wait for the next interaction. */
  readonly late: number
  /** How many chunks each raw message gave, over and over. */
  readonly sizes: readonly number[]
  readonly answers: readonly ('grant' | 'deny' | 'change' | 'none')[]
  readonly outcome: 'finished' | 'failed' | 'interrupted'
  /** After which message of the conversation it goes on, counted from the end; null is after the newest. */
  readonly edit: number | null
}

/** What may happen in a session. */
interface SessionOptions {
  readonly answers: boolean
  /** Whether prompts are edited and answers regenerated. */
  readonly edits?: boolean
  /** Whether the chunks of an event belong only to messages of its interaction, as in a real session. */
  readonly owned?: boolean
}

const interaction = (index: number, { answers, edits = false }: SessionOptions): fc.Arbitrary<Plan> =>
  fc.record({
    main: wellFormedStream(`m${index}`),
    side: wellFormedStream(`side${index}`),
    late: fc.nat(2),
    sizes: fc
      .array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 8 })
      .filter(sizes => sizes.some(Boolean)),
    answers: fc.array(answers ? fc.constantFrom('grant', 'deny', 'change', 'none') : fc.constant('none'), {
      minLength: 1,
      maxLength: 5,
    }),
    outcome: fc.constantFrom('finished', 'failed', 'interrupted'),
    edit: edits ? fc.option(fc.nat(9)) : fc.constant(null),
  })

/** Any session: interactions with a subagent each, chunks in any portions, results that come an interaction late. */
export const session = (options: SessionOptions): fc.Arbitrary<readonly Entry[]> =>
  fc
    .tuple(...[0, 1, 2].map(index => interaction(index, options)))
    .map(plans =>
      plans.reduce(
        (entries, _, index) =>
          journal(...entries.map(({ event }) => event), ...eventsOf(entries, plans, index, options)),
        journal(created()),
      ),
    )

function eventsOf(
  entries: readonly Entry[],
  plans: readonly Plan[],
  index: number,
  { owned = false }: SessionOptions,
): Event[] {
  const plan = plans[index]
  if (plan === undefined) return []
  const id = `i${index}`
  const before = plans[index - 1]
  const late =
    before === undefined ? [] : segments(before.main).slice(segments(before.main).length - lateOf(before))
  const own = segments(plan.main).slice(0, segments(plan.main).length - lateOf(plan))
  const side = `call${index}`
  const tail = on(null, late.flat())
  const chunks = [
    ...(owned ? [] : tail),
    ...on(null, [start(`holder${index}`), call(side, 'Task')]),
    ...on(side, plan.side),
    ...on(null, [output(side), finish]),
    ...on(null, own.flat()),
  ]
  return [
    { ...started(id), ...parentOf(entries, plan.edit) },
    ...(owned ? portions(plan, `i${index - 1}`, tail) : []),
    ...portions(plan, id, chunks),
    ended(id, plan.outcome),
  ]
}

function parentOf(entries: readonly Entry[], edit: number | null): { readonly parent?: string | null } {
  if (edit === null) return {}
  const ids = (foldEntries(createMessages(), entries).get(null) ?? []).map(({ message }) => message.id)
  return { parent: [...ids.toReversed(), null][edit % (ids.length + 1)] ?? null }
}

const lateOf = ({ main, late }: Plan) => Math.min(late, segments(main).length - 1)

/** The stretches from a `start` to its `finish`. */
function segments(chunks: readonly Chunk[]): readonly (readonly Chunk[])[] {
  const found: Chunk[][] = []
  for (const chunk of chunks) {
    if (chunk.type === 'start') found.push([])
    found.at(-1)?.push(chunk)
  }
  return found
}

const on = (thread: Thread, chunks: readonly Chunk[]): ThreadChunk[] =>
  chunks.map(chunk => ({ thread, chunk }))

function portions({ sizes, answers }: Plan, id: string, chunks: readonly ThreadChunk[]): Event[] {
  const events: Event[] = []
  let [at, turn, asked] = [0, 0, 0]
  while (at < chunks.length) {
    const size = sizes[turn++ % sizes.length] ?? 1
    const portion = chunks.slice(at, at + size)
    at += size
    events.push(said(id, portion))
    for (const { chunk } of portion) {
      if (chunk.type !== 'tool-approval-request') continue
      events.push(...answerTo(chunk.approvalId, answers[asked++ % answers.length] ?? 'none'))
    }
  }
  return events
}

function answerTo(approval: string, how: Plan['answers'][number]): Event[] {
  if (how === 'none') return []
  if (how === 'change') return [answered(approval, { input: { changed: true } })]
  return [answered(approval, { approved: how === 'grant', reason: 'because' })]
}
