import { anchor } from './show.ts'

/** Observation masking (arXiv 2508.21433): only the results of the newest ten steps are sent. */
export const observationMasking = anchor(
  'observation masking (10 steps)',
  () => (request, seen) =>
    new Map(
      seen
        .filter(({ kind, step }) => kind === 'result' && step < request.step - 10)
        .map(block => [block, '[Previous observation omitted]']),
    ),
)
