/**
 * `dragoman/context`: what a model is sent of a session, and why. A history and a ledger of changes are folded from entries;
 * `compile` makes the messages of a request of them, and a manifest that says what was left out.
 */

// From entries.
export { createHistoryFold } from './fold-history.ts'
export type { History, HistoryMessage, PairOutcome, ToolPair } from './history.ts'
export { createLedgerFold } from './fold-ledger.ts'
export type { Ledger, Manipulation } from './ledger.ts'

// To the messages of a request, and a record of how they were made.
export { compile, type Compiled } from './compile.ts'
export { profiles } from './profiles.ts'
export type { Policy, ProfileName } from './policy.ts'
export type { Manifest } from './manifest.ts'
export { manifestAfter, recordCompile } from './record-compile.ts'

// Looking up what was left out, and undoing changes.
export { recall } from './recall.ts'
export type { Target } from './target.ts'
export { rollBack, type RollbackScope } from './rollback.ts'

// Strategies that decide which results stay.
export { createStrategies, type Strategies } from './strategies/registry.ts'
export type { AgeRule, ParameterRule, SemanticRule, Strategy } from './strategies/strategy.ts'
export type { CustomStrategies } from './custom-strategy.ts'
