/**
 * How many cases a property draws. `npm test` always draws the same cases, so half of them do there; `npm run test:properties`,
 * which sets a seed, draws the full number with new seeds.
 */
export const propertyRuns = (full: number): number =>
  process.env['DRAGOMAN_SEED'] === undefined ? Math.ceil(full / 2) : full
