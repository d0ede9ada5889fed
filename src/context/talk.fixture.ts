import type { Event } from '../protocol/event.ts'
import type { Entry } from '../protocol/entry.ts'
import type { EntryId, NewId, SessionId } from '../protocol/ids.ts'
import type { Json } from '../protocol/json.ts'
import { createHistory } from './create-history.ts'
import { createLedgerFold } from './fold-ledger.ts'
import type { Message, Part } from './formats/conversation.ts'
import type { History } from './history.ts'
import type { ChangeBatchOptions } from './change-batch.ts'
import { createStrategies } from './strategies/registry.ts'
import type { Target } from './target.ts'

/** Lines that are all different: `name 1`, `name 2` … */
export const manyLines = (name: string, count: number, from = 1): string =>
  Array.from({ length: count }, (_, at) => `const ${name}${from + at} = 'some words in the file'`).join('\n')

/** Lines as a reader of files shows them. */
export const numbered = (text: string, from = 1): string =>
  text
    .split('\n')
    .map((line, at) => `${String(from + at).padStart(6)}→${line}`)
    .join('\n')

/** Makes ids that count. */
export function countingIds(prefix = 'm'): NewId {
  let count = 0
  return (() => `${prefix}${(count += 1)}`) as unknown as NewId
}

/** A conversation for tests, with its own ledger. */
export interface Talk {
  user(text: string, interaction?: string): string
  says(text: string): void
  thinks(text: string): void
  /** A call with its result (none when null), in a new step; gives the id of the call's part. */
  call(tool: string, input: Json, result: string | null, more?: { error?: boolean; minutes?: number }): string
  /** Several calls in one step. */
  calls(...all: readonly (readonly [tool: string, input: Json, result: string | null])[]): readonly string[]
  wait(minutes: number): void
  append(...events: readonly Event[]): void
  history(): History
  target(more?: Partial<Target>): Target
  options(more?: Partial<ChangeBatchOptions>): ChangeBatchOptions
  readonly step: number
}

/** Starts a conversation with an agent; its tools are those of Claude Code by default. */
export function createTalk(agent = 'claude-code'): Talk {
  const draft = createHistory({ session: 's', agent, cwd: '/w' })
  const ledger = createLedgerFold()
  const newId = countingIds()
  let [step, count, at, seq, interaction] = [1, 0, 1_000_000, 0, 'i1']
  let said: Part[] = []
  const nextId = (kind: string) => `${kind}${(count += 1)}`
  const add = (role: Message['role'], parts: readonly Part[], more = 0) => {
    at += 1000
    draft.add({ id: nextId('msg'), role, parts }, { interaction, at, step: step + more })
  }
  const flush = (calls: readonly Part[], results: readonly Part[]) => {
    if (said.length + calls.length > 0) add('assistant', [...said, ...calls])
    if (results.length > 0) add('tool', results, 1)
    said = []
    step += 1
  }
  const pairOf = (tool: string, input: Json, result: string | null, isError = false) => {
    const id = nextId('p')
    const call: Part = { kind: 'call', id, call: `c-${id}`, tool, input }
    const content = [{ kind: 'text' as const, id: `${id}.t`, text: result ?? '' }]
    const answer: Part = { kind: 'result', id: `${id}.result`, call: `c-${id}`, tool, content, isError }
    return { id, call, answers: result === null ? [] : [answer] }
  }
  return {
    user(text, of = interaction) {
      interaction = of
      const id = nextId('u')
      add('user', [{ kind: 'text', id, text }])
      return id
    },
    says: text => void said.push({ kind: 'text', id: nextId('t'), text }),
    thinks: text => void said.push({ kind: 'reasoning', id: nextId('r'), text }),
    call(tool, input, result, { error = false, minutes = 0 } = {}) {
      const { id, call, answers } = pairOf(tool, input, result, error)
      at += minutes * 60_000
      flush([call], answers)
      return id
    },
    calls(...all) {
      const pairs = all.map(([tool, input, result]) => pairOf(tool, input, result))
      flush(
        pairs.map(({ call }) => call),
        pairs.flatMap(({ answers }) => answers),
      )
      return pairs.map(({ id }) => id)
    },
    wait: minutes => void (at += minutes * 60_000),
    append(...events) {
      for (const event of events) ledger.apply(entryOf((seq += 1), at, event))
    },
    history: () => draft.view(ledger.view()),
    target: more => ({
      step,
      at,
      window: 200_000,
      fixedTokens: 10_000,
      thinking: 'free',
      boundary: false,
      ...more,
    }),
    options: more => ({ strategies: createStrategies(), step, effective: 'applied', newId, ...more }),
    get step() {
      return step
    },
  }
}

const entryOf = (seq: number, at: number, event: Event): Entry => ({
  session: 's' as SessionId,
  seq,
  id: `e${seq}` as EntryId,
  at,
  event,
})

/** The texts that a model gets, part by part. */
export const textOf = (messages: readonly Message[], part: string): string | null => {
  const found = messages.flatMap(({ parts }) => parts).find(({ id }) => id === part)
  if (found === undefined) return null
  if (found.kind === 'text' || found.kind === 'reasoning') return found.text
  if (found.kind === 'call') return JSON.stringify(found.input)
  return found.kind === 'result'
    ? found.content.map(each => ('text' in each ? each.text : '')).join('\n')
    : ''
}
