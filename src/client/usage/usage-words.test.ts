import { expect, it } from 'vitest'
import type { UsageRow } from './read-usage.ts'
import { costWords, wholeCost } from './cost-words.ts'
import { usageCsv } from './usage-csv.ts'

const dollars = (value: number) => `$${value.toFixed(2)}`
const pricesOf = '2026-11-01'

it('[W8] costs in words say how much is estimated, and with prices of which day', () => {
  const words = (reported: number | null, estimated: number | null, of: string | null = pricesOf) =>
    costWords({ reported, estimated, pricesOf: of }, dollars)
  expect(words(9.3, 3.1)).toBe('$12.40, of which $3.10 estimated with prices of 2026-11-01')
  expect(words(null, 3.1)).toBe('$3.10, estimated with prices of 2026-11-01')
  expect(words(9.3, null, null)).toBe('$9.30')
  expect(words(0, null, null)).toBe('$0.00')
  expect(words(null, 3.1, null)).toBe('$3.10, estimated with your prices')
  expect(words(null, null, null)).toBeNull()
  expect(wholeCost({ reported: null, estimated: null, pricesOf: null })).toBeNull()
})

const row: UsageRow = {
  session: 's-1',
  title: '=HYPERLINK("http://x"), "quoted"\nand more',
  cost: { reported: 1, estimated: 0.5, pricesOf },
  costs: { reported: 1, estimated: 0.5, pricesOf },
  cache: { hitRate: 0.5, saved: null },
  tokens: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 },
  time: 5,
  toolTime: null,
  waitTime: 0,
  interactions: 6,
  calls: null,
  failures: { interactions: 0, calls: null },
  lines: { added: 7, removed: 8 },
}

it('[W6] usage as comma-separated values keeps unknown apart from 0, and no text becomes a formula', () => {
  const [titles = '', ...lines] = usageCsv({ rows: [row] }).split('\r\n')
  expect(titles).toBe(
    'session,title,reported_usd,estimated_usd,prices_of,input_tokens,output_tokens,cache_read_tokens,cache_write_tokens,cache_hit_rate,cache_saved_usd,turns,failed_turns,turn_ms,wait_ms,tool_calls,failed_tool_calls,tool_ms,lines_added,lines_removed',
  )
  expect(lines).toEqual([
    's-1,"\'=HYPERLINK(""http://x""), ""quoted""\nand more",1,0.5,2026-11-01,1,2,3,4,0.5,,6,0,5,0,,,,7,8',
    '',
  ])
})

it.each(['=1', '+1', '-1', '@x', '\t=1', '\r=1', '\n=1', '＝1', '＠x'])(
  '[S12] a spreadsheet does not run %j',
  title => {
    const [, line = ''] = usageCsv({ rows: [{ ...row, title }] }).split(/\r\n(?=s-1|$)/)
    expect(line).toMatch(/^s-1,"?'/)
  },
)

it('[W6] blocks have their speed in comma-separated values', () => {
  const burn = {
    first: 0,
    last: 1,
    end: 2,
    active: true,
    tokensPerMinute: 10,
    costPerHour: null,
    projected: null,
  }
  const [titles, line] = usageCsv({ rows: [{ ...row, block: '2026-11-18T10:00+00:00', burn }] }).split('\r\n')
  expect(titles).toMatch(/^block,session,.*,tokens_per_minute,usd_per_hour,projected_usd$/)
  expect(line).toMatch(/^2026-11-18T10:00\+00:00,/)
})
