export {
  createSessionContext,
  type Change,
  type Context,
  type ContextCommands,
  type Interactions,
  type Manipulations,
  type Recalled,
  type RollbackWish,
  type SessionContext,
} from './session-context.ts'
export type { LiveReadable, LiveView } from './live-view.ts'
