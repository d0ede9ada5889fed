import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { Usage } from 'dragoman/client/usage'
import { Totals } from './totals.tsx'
import { noCosts, usageWith } from './usage.fixture.ts'

const total: Partial<Usage['total']> = {
  tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  time: 159_000,
  toolTime: 0,
  waitTime: 0,
  interactions: 40,
  calls: 0,
  failures: { interactions: 2, calls: 0 },
  lines: { added: 1200, removed: 30 },
  sessions: 28,
}

/** The name, the value and the explanation of each card. */
function cardsOf(usage: Usage) {
  const html = renderToStaticMarkup(<Totals usage={usage} />)
  const cards = html.matchAll(/<dt>(.*?)<\/dt><dd[^>]*>(.*?)<\/dd>(?:<dd[^>]*>(.*?)<\/dd>)?/g)
  return [...cards].map(([, ...texts]) => texts)
}

it('[W6] each label names what it counts: the time does not name all sessions', () => {
  const cards = cardsOf(usageWith([], total, { sessions: 27 }))
  expect(cards.map(([name, , more]) => [name, more])).toEqual([
    ['Cost', 'No cost data for 27 of 28 sessions'],
    ['Tokens', 'and 0 cached'],
    ['Cache hits', undefined],
    ['Turn time', 'includes time waiting for you'],
    ['Turns', 'in 28 sessions, 2 failed'],
    ['Tool calls', '0 failed'],
    ['Lines changed', 'as far as tools report it'],
  ])
  expect(cards.at(-1)?.[1]).toBe('+1.2k −30')
})

it('[W8] the total says how much of it is estimated', () => {
  const costOf = (costs: Usage['total']['costs']) => cardsOf(usageWith([], { ...total, costs }))[0]
  const pricesOf = '2026-11-01'
  expect(costOf({ reported: 9.3, estimated: 3.1, pricesOf })).toEqual([
    'Cost',
    '$12.40',
    'of which $3.10 estimated with prices of 2026-11-01',
  ])
  expect(costOf({ reported: null, estimated: 3.1, pricesOf })).toEqual([
    'Cost',
    '$3.10',
    'estimated with prices of 2026-11-01',
  ])
  expect(costOf({ ...noCosts, reported: 0 })).toEqual(['Cost', '$0.00', undefined])
  expect(costOf(noCosts)?.[1]).toBe('unknown')
})
