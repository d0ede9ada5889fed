import { expect, it } from 'vitest'
import { codex } from '../../agents/codex/index.ts'
import { createPriceBook } from '../../prices/open-price-book.ts'
import type { Json } from '../../protocol/json.ts'
import {
  folderWith,
  jsonLines,
  openImports,
  readTranscripts,
} from '../../sessions/import/transcripts.fixture.ts'
import { reportUsage } from './report-usage.ts'

type Payload = Readonly<Record<string, Json>>

const line = (hour: number, type: string, payload: Payload) => ({
  timestamp: `2026-09-2${hour}T10:00:00.000Z`,
  type,
  payload,
})
const event = (day: number, type: string, more: Payload) => line(day, 'event_msg', { type, ...more })
const said = (day: number, role: string, text: string) =>
  line(day, 'response_item', { type: 'message', role, content: [{ type: 'text', text }] })
const asks = (day: number, text: string) => [
  said(day, 'user', text),
  event(day, 'user_message', { message: text }),
]
const answers = (day: number, text: string) => [
  event(day, 'agent_message', { message: text }),
  said(day, 'assistant', text),
]
/** The totals of the session so far; cached tokens are a part of the input. */
const totals = (day: number, input: number, cached: number, output: number) =>
  event(day, 'token_count', {
    info: { total_token_usage: { input_tokens: input, cached_input_tokens: cached, output_tokens: output } },
  })

it('[W8] long requests of Codex have another price, and a sum of short ones is not a long one', async () => {
  const house = await openImports(codex)
  const lines = [
    line(1, 'session_meta', { id: 'cx-1', cwd: '/w', git: { branch: 'topic' } }),
    line(1, 'turn_context', { model: 'gpt-5.4' }),
    ...asks(1, 'One'),
    // Three requests with 200,000 tokens: short, at $2.50 and $0.25.
    totals(1, 200_000, 100_000, 0),
    totals(1, 400_000, 200_000, 0),
    totals(1, 400_000, 200_000, 0),
    totals(1, 600_000, 300_000, 1000),
    ...answers(1, 'A'),
    ...asks(2, 'Two'),
    // One with 300,000: long, at $5.00, $0.50 and $22.50.
    totals(2, 900_000, 400_000, 11_000),
    ...answers(2, 'B'),
  ]
  const folder = folderWith({ 'rollout-cx-1.jsonl': jsonLines(lines) })
  for (const each of (await readTranscripts(codex, folder)).transcripts) await house.import(each)
  const parts = { sessions: house.sessions, journal: house.journal, openPrices: createPriceBook() }
  const { rows, total } = await reportUsage({ ...parts, now: Date.now }, { by: ['day', 'branch'] })
  const short = 0.3 * 2.5 + 0.3 * 0.25 + 0.001 * 15
  const long = 0.2 * 5 + 0.1 * 0.5 + 0.01 * 22.5
  expect(rows.map(({ day, branch }) => [day, branch])).toEqual([
    ['2026-09-21', 'topic'],
    ['2026-09-22', 'topic'],
  ])
  expect(rows[0]?.costs.estimated).toBeCloseTo(short, 9)
  expect(rows[1]?.costs.estimated).toBeCloseTo(long, 9)
  expect(total.tokens).toEqual({ input: 500_000, output: 11_000, cacheRead: 400_000, cacheWrite: 0 })
})
