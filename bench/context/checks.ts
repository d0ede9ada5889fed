import type { Score } from './replay.ts'

/** The results of the checks beside the numbers, as text. */
export function checksOf(scores: readonly Score[]): string {
  const ours = scores.filter(({ policy }) => policy.isOurs)
  const arrays = ours.reduce((sum, score) => sum + score.arrays, 0)
  const refused = ours.reduce((sum, { refusals }) => sum + refusals.length, 0)
  const unrestored = ours.reduce((sum, score) => sum + score.unrestored, 0)
  return [
    `${arrays} compiled arrays, each written for Anthropic, OpenAI chat, OpenAI responses and Gemini: ${refused} faults.`,
    `Everything rolled back at the end of each conversation: ${unrestored === 0 ? 'always' : `${unrestored} times not`} byte for byte what was there.`,
  ].join('\n')
}

/** Violations, as text; the first of each kind is enough. */
export const faultsOf = (scores: readonly Score[]): readonly string[] =>
  scores.flatMap(({ policy: { name }, refusals, unrestored }) => [
    ...(refusals[0] === undefined
      ? []
      : [`${name}: a provider would refuse ${refusals.length} things, first ${refusals[0]}`]),
    ...(unrestored === 0
      ? []
      : [`${name}: ${unrestored} conversations did not come back when all was rolled back.`]),
  ])
