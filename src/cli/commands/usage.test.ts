import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Usage } from '../../client/usage/index.ts'
import { newFolder } from '../process.fixture.ts'
import { runHere } from '../shell.fixture.ts'

const session = '11111111-2222-4333-8444-555555555555'
const at = '2026-03-02T10:00:00.000Z'

/** A transcript of Claude Code in which two models answer. */
function writeTranscript(folder: string): string {
  const models = { 'claude-opus-4-5': 1_000_000, 'my-own-model': 2000 }
  const line = (uuid: string, type: string, content: unknown, more: object = {}) => ({
    type,
    uuid,
    sessionId: session,
    cwd: '/work',
    timestamp: at,
    parentUuid: null,
    isSidechain: false,
    message: { id: uuid, role: type, content, ...more },
  })
  const lines = Object.entries(models).flatMap(([model, input_tokens], index) => [
    line(`u${index}`, 'user', `Question ${index}`),
    line(`a${index}`, 'assistant', [{ type: 'text', text: 'Yes.' }], {
      model,
      usage: { input_tokens, output_tokens: 0 },
    }),
  ])
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${session}.jsonl`)
  writeFileSync(file, lines.map(each => `${JSON.stringify(each)}\n`).join(''))
  return file
}

async function openUsage() {
  const data = newFolder()
  const file = writeTranscript(join(newFolder(), 'project'))
  expect((await runHere(['import', '--agent', 'claude-code', file, '--data', data])).code).toBe(0)
  return {
    data,
    usage: (...args: readonly string[]) => runHere(['usage', '--zone', 'UTC', '--data', data, ...args]),
  }
}

it('[W8] "usage" estimates what transcripts cost, and names models without a price', async () => {
  const { data, usage } = await openUsage()
  const { out, code } = await usage('--by', 'model')
  expect(code).toBe(0)
  expect(out).toMatch(/^claude-opus-4-5 +~\$5\.00 +1\.0M/m)
  expect(out).toContain('Cost: $5.00, estimated with prices of 2026-09-23.')
  expect(out).toContain('No price is known for: my-own-model (2.0k tokens). Set "prices" in dragoman.json.')
  writeFileSync(
    join(data, 'dragoman.json'),
    JSON.stringify({ prices: { 'my-own': { input: 500, output: 0 } } }),
  )
  const priced = await usage('--by', 'model')
  expect(priced.out).toContain('Cost: $6.00, estimated')
  expect(priced.out).not.toContain('No price is known')
})

it('[J16] "usage" shows the limits of a subscription that a rollout reports last', async () => {
  const data = newFolder()
  const file = join(newFolder(), 'rollout-cx-1.jsonl')
  const line = (type: string, payload: object) =>
    JSON.stringify({ timestamp: new Date().toISOString(), type, payload })
  const limits = (used_percent: number) => ({
    type: 'token_count',
    info: null,
    rate_limits: { primary: { used_percent, window_minutes: 300, resets_at: Date.now() / 1000 + 3600 } },
  })
  const lines = [
    line('session_meta', { id: 'cx-1', cwd: '/w', cli_version: '0.60.0' }),
    line('event_msg', { type: 'task_started' }),
    line('response_item', { type: 'message', role: 'user', content: [{ type: 'text', text: 'Go' }] }),
    line('event_msg', { type: 'user_message', message: 'Go' }),
    line('event_msg', limits(10)),
    line('event_msg', { type: 'agent_message', message: 'Done.' }),
    line('event_msg', limits(62)),
    line('event_msg', { type: 'task_complete', last_agent_message: 'Done.' }),
  ]
  writeFileSync(file, lines.map(each => `${each}\n`).join(''))
  expect((await runHere(['import', '--agent', 'codex', file, '--data', data])).code).toBe(0)
  const { out } = await runHere(['usage', '--data', data])
  expect(out).toMatch(/^Limit of codex, 5 hours: 62 %, resets /m)
})

it('[W6] "usage" shows days, the most expensive prompts, JSON and comma-separated values', async () => {
  const { usage } = await openUsage()
  expect((await usage()).out).toMatch(/^2026-03-02 +~\$5\.00/m)
  expect((await usage('--by', 'interaction', '--top', '1')).out).toMatch(/Question 0 .*~\$5\.00/)
  const found = JSON.parse((await usage('--json', '--by', 'hour')).out) as Usage
  expect(found.rows).toMatchObject([
    { hour: '2026-03-02T10:00+00:00', costs: { estimated: 5, reported: null } },
  ])
  expect((await usage('--csv')).out).toMatch(
    /^day,reported_usd,estimated_usd,.*\r\n2026-03-02,,5,2026-09-23,/,
  )
  expect((await usage('--by', 'branch')).out).toContain('The git branch of some sessions was not recorded.')
  expect((await usage('--from', '2026-04-01')).out).toContain('No usage in this period.')
})

it('[W6] "usage" refuses wrong options with a sentence', async () => {
  const { usage } = await openUsage()
  expect(await usage('--by', 'month')).toMatchObject({ code: 2 })
  expect((await usage('--by', 'month')).err).toContain('must be one or more of day, agent, model')
  expect((await usage('--csv', '--json')).err).toContain('Choose --csv or --json.')
  expect((await usage('--top', '1000')).err).toContain('must be from 1 to 100')
  expect((await usage('--zone', 'Nowhere')).err).toContain('There is no time zone "Nowhere"')
})
