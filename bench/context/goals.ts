import type { PolicyReport, Report } from './report.ts'

type Goal = readonly [words: string, isReached: (policy: PolicyReport) => boolean]

const percent = (share: number) => `${Number((share * 100).toFixed(2))} %`

const least = (what: string, key: 'messageTokensSaved' | 'costSaved', share: number): Goal => [
  `${what} −${percent(share)}`,
  policy => policy[key] >= share,
]

const most = (what: string, key: 'editsLost' | 'over160k' | 'cacheBreaksPerRequest', count: string): Goal => [
  `${what} ≤ ${count}`,
  policy => policy[key] <= Number.parseFloat(count) / (count.endsWith('%') ? 100 : 1),
]

/** The goals on transcripts that were not used for tuning. */
const goals: Readonly<Record<string, readonly Goal[]>> = {
  safe: [
    least('tokens', 'messageTokensSaved', 0.2),
    least('cost', 'costSaved', 0.12),
    most('edits lost', 'editsLost', '0.5 %'),
    most('requests > 160k', 'over160k', '0'),
    most('breaks/request', 'cacheBreaksPerRequest', '0.001'),
  ],
  balanced: [
    least('tokens', 'messageTokensSaved', 0.28),
    least('cost', 'costSaved', 0.16),
    most('edits lost', 'editsLost', '1.3 %'),
  ],
}

/** Whether the goals for unknown transcripts are reached, as text. */
export const verdictOf = ({ policies }: Report): string =>
  policies
    .flatMap(policy => {
      const wanted = goals[policy.name]
      if (wanted === undefined) return []
      const missed = wanted.filter(([, isReached]) => !isReached(policy)).map(([words]) => words)
      const all = wanted.map(([words]) => words).join(', ')
      return `${policy.name}: ${all}: ${missed.length === 0 ? 'reached' : `missed: ${missed.join(', ')}`}.`
    })
    .join('\n')
