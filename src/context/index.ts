/** The context folder for the rest of the package. What users of the package may name is in `door.ts`. */

export { compile } from './compile.ts'
export { createHistory, type HistoryDraft } from './create-history.ts'
export { createHistoryFold } from './fold-history.ts'
export { createLedgerFold } from './fold-ledger.ts'
export type * from './history.ts'
export type { Ledger, Manipulation, Standing } from './ledger.ts'
export type * from './manifest.ts'
export type * from './policy.ts'
export { profiles } from './profiles.ts'
export { personsProposal } from './person.ts'
export { recall } from './recall.ts'
export { manifestAfter, recordCompile } from './record-compile.ts'
export { rollBack, type RollbackScope } from './rollback.ts'
export {
  makeChange,
  createChangeBatch,
  type ChangeBatch,
  type ChangeBatchOptions,
  type ManipulationEvent,
} from './change-batch.ts'
export { createHistoryIndex } from './history-index.ts'
export { strategiesAfter, strategiesAtBoundary } from './run-strategies.ts'
export type { Strategies } from './strategies/registry.ts'
export type * from './strategies/strategy.ts'
export { customQuestions, takeAnswer, type CustomStrategies } from './custom-strategy.ts'
export type { Target } from './target.ts'
