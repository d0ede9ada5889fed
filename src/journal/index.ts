/** The journal's part of the door `dragoman/journal`, which is `src/store/index.ts`. */

export type { Bell, Journal, Once, SavedOnce, Sleeper, Times } from './journal.ts'
export { createBell } from './bell.ts'
export { soleOwnership, type Claim, type Owner, type Ownership } from './ownership.ts'
export { createMemoryNodes, type MemoryNode, type MemoryNodes } from './memory-nodes.ts'
export { createMemoryJournal, createMemoryStore, type MemoryStore } from './memory.ts'
export { sessionExists, unknownSession } from './refusals.ts'
export {
  feed,
  follow,
  type Batch,
  type Feed,
  type Followed,
  type FollowOptions,
  type Taker,
} from './follow.ts'
export { testJournal, type OpenJournal, type TestRunner } from './test-journal.ts'
