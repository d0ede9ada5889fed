// @vitest-environment jsdom
import { act } from 'react'
import { expect, it, vi } from 'vitest'
import type { Usage, UsageRow } from 'dragoman/client/usage'
import { render, wait } from '../composer/render.fixture.tsx'
import { addCosts } from './add-costs.ts'
import { dayOf } from './bins.ts'
import { DashboardPage } from './dashboard-page.tsx'
import { keyOf, nameOf } from './measures.ts'
import { noCosts, rowWith, usageWith } from './usage.fixture.ts'

const pricesOf = '2026-09-23'
const costs = { reported: 2, estimated: 1.5, pricesOf }
const today = dayOf(Date.now())
const tokens = { input: 10, output: 5, cacheRead: 80, cacheWrite: 10 }

const hour = 3_600_000
const burn = () => ({
  first: Date.now(),
  last: Date.now(),
  end: Date.now() + 2 * hour,
  active: true,
  tokensPerMinute: 700,
  costPerHour: 1.75,
  projected: 7,
})

/** What a server replies for each grouping. */
const rowsBy: Readonly<Record<string, () => readonly UsageRow[]>> = {
  day: () => [rowWith({ day: today, costs, tokens, interactions: 3 })],
  block: () => [rowWith({ block: `${today}T10:00+00:00`, costs, tokens, burn: burn() })],
  session: () => [rowWith({ session: 's1', title: 'A title', costs })],
  interaction: () => [
    rowWith({ session: 's1', interaction: 'i1', title: 'A title', prompt: 'Do it', costs }),
    rowWith({ session: 's1', interaction: 'i2', title: 'A title', prompt: 'Do it', costs: noCosts }),
  ],
  tool: () => [rowWith({ tool: 'Edit', calls: 4, failures: { interactions: null, calls: 1 } })],
  'tool,reason': () => [
    rowWith({ tool: 'Edit', reason: 'No match in …', failures: { interactions: null, calls: 1 } }),
    rowWith({ tool: 'Edit', reason: null, failures: { interactions: null, calls: 2 } }),
  ],
  branch: () => [rowWith({ branch: null, costs })],
}

const limits: Usage['limits'] = [
  {
    agent: 'codex',
    name: 'week',
    used: 0.625,
    resetsAt: Date.now() + hour,
    isReached: false,
    at: Date.now(),
  },
]

/** The dashboard with a server that has some usage. */
async function open() {
  const asked: URLSearchParams[] = []
  const answer = (address: string) => {
    if (!address.includes('/api/usage')) return null
    const query = new URL(address).searchParams
    asked.push(query)
    const rows = rowsBy[query.get('by') ?? '']?.() ?? []
    const unknown: Partial<Usage['unknown']> = { models: [{ model: 'strange', tokens: 1234 }] }
    return Response.json({ ...usageWith(rows, { costs, sessions: 1 }, unknown), limits })
  }
  const page = await render(<DashboardPage />, { answer })
  await wait(100)
  const choose = async (label: string) => {
    const option = [...page.place.querySelectorAll('label')].find(each => each.textContent === label)
    await act(async () => option?.querySelector('input')?.click())
    await wait(100)
  }
  return { ...page, asked, choose }
}

it('[W6] the dashboard answers for today, this week and the current five-hour block', async () => {
  const { place, asked } = await open()
  const cards = Array.from(place.querySelectorAll('[aria-label="Now"] > div'), each => each.textContent)
  expect(cards.slice(0, 2)).toEqual([
    'Today$3.50$1.50 of it estimated',
    'This week$3.50$1.50 of it estimated',
  ])
  expect(cards[2]).toMatch(
    /^Five-hour block\$3\.50\$1\.75 per hour, \$7\.00 projected until .+; 700 tokens per minute$/,
  )
  expect(asked.some(query => query.get('by') === 'block')).toBe(true)
})

it('[W8] the dashboard names models without a price', async () => {
  const { place } = await open()
  expect(place.textContent).toContain('No price is known for strange (1.2k tokens).')
})

it('[W6] the most expensive sessions and prompts are links', async () => {
  const { place, choose, asked } = await open()
  const links = () => Array.from(place.querySelectorAll('table a'), each => each.getAttribute('href'))
  expect(links()).toEqual(['/s/s1'])
  await choose('Prompts')
  expect(links()).toEqual(['/s/s1/i/i1', '/s/s1/i/i2'])
  expect(asked.filter(query => query.get('by') === 'interaction').map(query => query.get('top'))).toEqual([
    '10',
  ])
})

it('[W6] failures have reasons', async () => {
  const { place } = await open()
  expect(place.textContent).toContain('Edit: No match in …')
  expect(place.textContent).toContain('Edit: No reason given')
})

it('[W6] a branch that was not recorded is shown as such', async () => {
  const { place, choose } = await open()
  await choose('Branch')
  expect(place.textContent).toContain('Branch not recorded')
  expect(place.textContent).toContain('the agent did not report a git branch')
})

it('[W6] what is shown can be downloaded as CSV and JSON', async () => {
  const files: Blob[] = []
  vi.stubGlobal(
    'URL',
    Object.assign(URL, {
      createObjectURL: (file: Blob) => `blob:${files.push(file)}`,
      revokeObjectURL: () => {},
    }),
  )
  const { press } = await open()
  await press('Download usage by block as CSV')
  await press('Download usage by block as JSON')
  const [csv, json] = await Promise.all(files.map(file => file.text()))
  expect(csv).toMatch(/^block,reported_usd,.*\r\n\d{4}-.*T10:00\+00:00,2,1.5,2026-09-23,10,5,80,10,/)
  expect(JSON.parse(json ?? '')).toMatchObject({ rows: [{ costs }] })
})

it('[J16] the limits of subscriptions are beside the costs of now', async () => {
  const { place } = await open()
  const cards = [...place.querySelectorAll('dl[aria-label="Now"] > div')].map(card => card.textContent)
  expect(cards.at(-1)).toMatch(/: week63 %Resets .*, reported /)
})

it('[W6] costs are added up apart, and rows with one name keep apart', () => {
  expect(addCosts([{ costs }, { costs: { ...noCosts, reported: 1 } }, { costs: noCosts }])).toEqual({
    reported: 3,
    estimated: 1.5,
    pricesOf,
  })
  expect(addCosts([])).toEqual(noCosts)
  const [one, other] = rowsBy['interaction']?.() ?? []
  if (one === undefined || other === undefined) throw new Error('No rows.')
  expect(nameOf(one, 'interaction')).toBe(nameOf(other, 'interaction'))
  expect(keyOf(one, 'interaction')).not.toBe(keyOf(other, 'interaction'))
})
