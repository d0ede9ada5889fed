import { describeMachine } from './machine.ts'
import { markdownTable, type Outcome } from './table.ts'

/** The page that keeps the numbers: nothing in it is typed by hand. */
export function documentOf(outcomes: readonly Outcome[], command: string, now: Date): string {
  const methods = outcomes.map(({ bench: { name, how } }) => `- **${name}**: ${how}`)
  const busiest = Math.max(...outcomes.map(({ others }) => others))
  const notes = outcomes.flatMap(({ bench: { name }, measured }) =>
    measured.flatMap(({ part, note }) =>
      note === undefined ? [] : [`- ${name}${part === undefined ? '' : `, ${part}`}: ${note}.`],
    ),
  )
  return [
    '# Benchmarks',
    '',
    `Written by \`${command}\` on ${now.toISOString().slice(0, 10)}; do not edit.`,
    '',
    `Machine: ${describeMachine()}. Other processes kept at most ${busiest.toFixed(1)} cores busy during a bench.`,
    '',
    'Each number is a ratio of ours to a peer or a limit, measured in one run. Short slices of both take turns, and the',
    'ratio is the median of the rounds (in brackets: the middle half of the rounds). When other processes are busy, more',
    'rounds are measured, and the quietest ones count. Absolute numbers depend on the machine; the ratios depend on it',
    'much less. Each bench runs in a separate process, fully durable, on a real disk.',
    '',
    markdownTable(outcomes),
    '',
    '## How each is measured',
    '',
    ...methods,
    ...(notes.length === 0 ? [] : ['', '## Notes of this run', '', ...notes]),
    '',
  ].join('\n')
}
