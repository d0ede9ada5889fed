import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { Usage } from 'dragoman/client/usage'
import { Totals } from './totals.tsx'

const tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
const total = {
  cost: null,
  tokens,
  time: 159_000,
  toolTime: 0,
  interactions: 40,
  calls: 0,
  failures: { interactions: 2, calls: 0 },
  sessions: 28,
}
const unknown = { sessions: 27, messages: 0, waiting: 0 }

it('[W6] each label names what was counted: the time is not labelled with all sessions', () => {
  const usage: Usage = { from: 0, to: 1, rows: [], total, unknown }
  const html = renderToStaticMarkup(<Totals usage={usage} />)
  const cards = [...html.matchAll(/<dt>(.*?)<\/dt><dd[^>]*>(.*?)<\/dd>(?:<dd[^>]*>(.*?)<\/dd>)?/g)]
  expect(cards.map(([, name, , more]) => [name, more])).toEqual([
    ['Cost', 'No cost data for 27 of 28 sessions'],
    ['Tokens', 'and 0 cached'],
    ['Turn time', 'includes time waiting for you'],
    ['Turns', 'in 28 sessions, 2 failed'],
    ['Tool calls', '0 failed'],
  ])
})
