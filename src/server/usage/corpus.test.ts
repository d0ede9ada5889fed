import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { claudeCode } from '../../agents/claude-code/index.ts'
import { createPriceBook } from '../../prices/open-price-book.ts'
import { collect, openHouse } from '../../sessions/house.fixture.ts'
import { reportUsage, type UsageReport } from './report-usage.ts'

const corpus = join(import.meta.dirname, '../../../../shared/corpus/claude-code')
const files = existsSync(corpus) ? readdirSync(corpus).filter(name => name.endsWith('.jsonl.gz')) : []
if (files.length === 0) console.warn(`SKIPPED: ${corpus} is not here, so no real costs are compared.`)

interface Line {
  readonly type?: string
  readonly timestamp?: string
  readonly message?: Message
  readonly data?: { readonly type?: string; readonly message?: Line }
}

interface Message {
  readonly id?: string
  readonly model?: string
  readonly usage?: {
    readonly input_tokens: number
    readonly output_tokens: number
    readonly cache_read_input_tokens?: number
    readonly cache_creation_input_tokens?: number
    readonly cache_creation?: { readonly ephemeral_1h_input_tokens?: number }
  }
}

interface Counted {
  readonly file: string
  readonly model: string
  readonly at: string
  /** Input, output, cache read, cache write for five minutes, cache write for an hour. */
  readonly tokens: readonly number[]
}

/** The answers of a transcript: of the lines of one answer, the last one counts. */
function answersIn(file: string): readonly Counted[] {
  const answers = new Map<string, Counted>()
  const text = gunzipSync(readFileSync(join(corpus, file))).toString()
  for (const row of text.split('\n')) {
    if (row === '') continue
    const line = JSON.parse(row) as Line
    const inner = line.data?.type === 'agent_progress' ? line.data.message : line
    const { id, model, usage } = inner?.message ?? {}
    if (id === undefined || usage === undefined || model === undefined) continue
    answers.set(id, { file, model, tokens: kindsIn(usage), at: answers.get(id)?.at ?? line.timestamp ?? '' })
  }
  return [...answers.values()]
}

function kindsIn(usage: NonNullable<Message['usage']>): readonly number[] {
  const { cache_read_input_tokens: read = 0, cache_creation_input_tokens: write = 0 } = usage
  const hour = usage.cache_creation?.ephemeral_1h_input_tokens ?? 0
  return [usage.input_tokens, usage.output_tokens, read, write - hour, hour]
}

/** What Anthropic asks for a million tokens, in the order of `tokens`, and for requests with more than 200,000. */
const asked: Readonly<Record<string, readonly [readonly number[], readonly number[]]>> = {
  'claude-opus-4-5-20251101': [
    [5, 25, 0.5, 6.25, 10],
    [5, 25, 0.5, 6.25, 10],
  ],
  'claude-opus-4-6': [
    [5, 25, 0.5, 6.25, 10],
    [10, 37.5, 1, 12.5, 20],
  ],
  'claude-sonnet-4-5-20250929': [
    [3, 15, 0.3, 3.75, 6],
    [6, 22.5, 0.6, 7.5, 12],
  ],
  'claude-haiku-4-5-20251001': [
    [1, 5, 0.1, 1.25, 2],
    [1, 5, 0.1, 1.25, 2],
  ],
}

function dollars(answers: readonly Counted[]): number {
  let sum = 0
  for (const { model, tokens } of answers) {
    const [input = 0, output = 0, ...cached] = tokens
    const long = input + cached.reduce((one, other) => one + other, 0) > 200_000
    const prices = asked[model]?.[long ? 1 : 0]
    if (prices === undefined && input + output > 0) throw new Error(`No price for ${model}.`)
    for (const [kind, count] of tokens.entries()) sum += (count * (prices?.[kind] ?? 0)) / 1e6
  }
  return sum
}

const tokensOf = (answers: readonly Counted[]) => {
  const sum = (...kinds: readonly number[]) =>
    answers.reduce(
      (total, { tokens }) => total + kinds.reduce((part, kind) => part + (tokens[kind] ?? 0), 0),
      0,
    )
  return { input: sum(0), output: sum(1), cacheRead: sum(2), cacheWrite: sum(3, 4) }
}

const cents = (value: number | null | undefined) => Math.round((value ?? 0) * 100)

type Report = (by: NonNullable<Parameters<typeof reportUsage>[1]['by']>[number]) => Promise<UsageReport>

/** Imports all files, and gives the session of each and the reports about them. */
async function importAll() {
  const house = await openHouse([claudeCode])
  const dataFolder = mkdtempSync(join(tmpdir(), 'corpus-cost-'))
  const sessions = new Map<string, string>()
  for (const file of files) {
    const [found] = await collect(claudeCode.importer?.find(join(corpus, file)) ?? emptyFinds())
    if (found === undefined) throw new Error(`${file} is no transcript.`)
    const transcript = await found.read({ dataFolder, skip: () => {} })
    const { session } = await house.sessions.import({ agent: 'claude-code', file, transcript })
    sessions.set(file, session)
  }
  const parts = { sessions: house.sessions, journal: house.journal, openPrices: createPriceBook() }
  const report: Report = by => reportUsage({ ...parts, now: Date.now }, { by: [by] })
  return { sessions, report }
}

async function* emptyFinds() {}

const told = files.map(answersIn)
const all = told.flat()

async function checkTotal(report: Report): Promise<void> {
  const { total, unknown } = await report('day')
  expect(total.tokens).toEqual(tokensOf(all))
  expect(total.costs.reported).toBeNull()
  expect(cents(total.costs.estimated)).toBe(cents(dollars(all)))
  expect(unknown.models).toEqual([])
}

async function checkSessions(report: Report, sessions: ReadonlyMap<string, string>): Promise<void> {
  const { rows } = await report('session')
  for (const [index, file] of files.entries()) {
    const row = rows.find(({ session }) => session === sessions.get(file))
    const own = told[index] ?? []
    expect(row?.tokens ?? tokensOf([]), file).toEqual(tokensOf(own))
    expect(cents(row?.costs.estimated), file).toBe(cents(dollars(own)))
  }
}

/** An answer counts in the hour of its first line. */
async function checkHours(report: Report): Promise<void> {
  const { rows } = await report('hour')
  for (const [hour, own] of Map.groupBy(all, ({ at }) => at.slice(0, 13))) {
    const row = rows.find(each => each.hour?.startsWith(hour))
    expect(row?.tokens, hour).toEqual(tokensOf(own))
    expect(cents(row?.costs.estimated), hour).toBe(cents(dollars(own)))
  }
}

async function checkSums(report: Report): Promise<void> {
  for (const by of [
    'hour',
    'block',
    'agent',
    'model',
    'folder',
    'branch',
    'session',
    'interaction',
  ] as const) {
    const { rows } = await report(by)
    const cost = rows.reduce((sum, { costs }) => sum + (costs.estimated ?? 0), 0)
    expect(cents(cost), by).toBe(cents(dollars(all)))
    const output = rows.reduce((sum, { tokens }) => sum + (tokens?.output ?? 0), 0)
    expect(output, by).toBe(tokensOf(all).output)
  }
}

describe.runIf(files.length > 0)('an import of the corpus', () => {
  it('[W8] agrees with an independent sum to the token and to the cent: in total, by session, by hour', async () => {
    const { report, sessions } = await importAll()
    await checkTotal(report)
    await checkSessions(report, sessions)
    await checkHours(report)
    await checkSums(report)
  }, 120_000)
})
