import { bytes, counted, short } from '../ui/amounts.ts'

/** What an agent saved on this machine. */
export interface FoundHistory {
  readonly agent: string
  readonly sessions: number
  readonly imported: number
  readonly from: number
  readonly to: number
}

/** How far an import is. */
export interface ImportState {
  readonly endedAt: number | null
  readonly paused: boolean
  readonly total: number | null
  readonly done: number
  readonly bytes: number
  readonly bytesDone: number
  readonly skipped: number
  readonly failed: number
  readonly outcomes: Readonly<Record<string, number | undefined>>
  readonly failure: { readonly message: string } | null
}

/** How many sessions of agents are not here yet. */
export const missingFrom = (found: readonly FoundHistory[]): number =>
  found.reduce((sum, { sessions, imported }) => sum + sessions - imported, 0)

/** Says what was found: "214 Claude Code sessions, 32 Codex, March 2025 to today". */
export function foundWords(
  found: readonly FoundHistory[],
  titleOf: (agent: string) => string,
  now: number,
): string {
  const [first, ...others] = found
  if (first === undefined) return ''
  const words = [
    counted(first.sessions, `${titleOf(first.agent)} session`, short),
    ...others.map(({ agent, sessions }) => `${short(sessions)} ${titleOf(agent)}`),
  ]
  const from = month(Math.min(...found.map(each => each.from)))
  const newest = Math.max(...found.map(each => each.to))
  const to = new Date(newest).toDateString() === new Date(now).toDateString() ? 'today' : month(newest)
  return [...words, from === to ? from : `${from} to ${to}`].join(', ')
}

const month = (at: number) => new Date(at).toLocaleDateString('en', { month: 'long', year: 'numeric' })

/** What became of the sessions that were not imported as new ones. */
const outcomeWords: readonly (readonly [outcome: string, say: (sessions: string) => string])[] = [
  ['grown', sessions => `${sessions} had new lines.`],
  ['elsewhere', sessions => `Ran in Dragoman already: ${sessions}.`],
  ['continued', sessions => `Continued in Dragoman: ${sessions}.`],
  ['deleted', sessions => `Deleted in Dragoman: ${sessions}.`],
  ['empty', sessions => `Without messages: ${sessions}.`],
]

/** Says how far an import is, or what it did. */
export function importWords({ endedAt, total, done, paused, ...state }: ImportState): string {
  if (endedAt === null)
    return total === null
      ? 'Searching for sessions…'
      : `${paused ? 'Paused' : 'Importing'}: ${done} of ${counted(total, 'session')}, ${bytes(state.bytesDone)} of ${bytes(state.bytes)}`
  const { outcomes, skipped, failed, failure } = state
  const sentences = [
    `Imported ${counted(outcomes['new'] ?? 0, 'session')}.`,
    ...outcomeWords.map(([outcome, say]) => {
      const count = outcomes[outcome] ?? 0
      return count > 0 ? say(counted(count, 'session')) : ''
    }),
    skipped > 0 ? `${counted(skipped, 'unreadable line')} skipped.` : '',
    failed > 0 ? `${counted(failed, 'file')} could not be read.` : '',
    failure?.message ?? '',
  ]
  return sentences.filter(Boolean).join(' ')
}

/** Says whether sessions appear by themselves. */
export const followingWords = (on: boolean): string =>
  on
    ? 'What you do in the terminals of your agents appears here within seconds.'
    : 'What you do in the terminals of your agents does not appear here.'
