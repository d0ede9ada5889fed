export { compile, type Compiled } from './compile.ts'
export { createHistory, placeMessage, type HistoryDraft, type HistoryOrigin } from './create-history.ts'
export { createHistoryFold } from './fold-history.ts'
export { createLedgerFold } from './fold-ledger.ts'
export type * from './history.ts'
export { emptyLedger, markOf, type Ledger, type Manipulation, type Standing } from './ledger.ts'
export type * from './manifest.ts'
export type * from './policy.ts'
export { profiles } from './profiles.ts'
export { personsProposal, type PersonsWish } from './person.ts'
export { recall } from './recall.ts'
export { manifestAfter, recordCompile } from './record-compile.ts'
export { rollBack, type RollbackScope, type RollbackWish } from './rollback.ts'
export { carryOut, createBench, type Bench, type BenchOptions, type ManipulationEvent } from './manage.ts'
export { createHistoryIndex, type HistoryIndex } from './history-index.ts'
export { strategiesAfter, strategiesAtBoundary } from './run-strategies.ts'
export { createStrategies, type Strategies } from './strategies/registry.ts'
export { customMilliseconds } from './strategies/strategy.ts'
export type * from './strategies/strategy.ts'
export {
  customQuestions,
  takeAnswer,
  type CustomOutcome,
  type CustomQuestion,
  type CustomStrategies,
} from './custom-strategy.ts'
export type { Target } from './target.ts'
