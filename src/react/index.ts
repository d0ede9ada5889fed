export { DragomanProvider, useClient } from './provider.ts'
export { useAgentMessages, type AgentMessages } from './use-agent-messages.ts'
export { useApprovals, type Approvals } from './use-approvals.ts'
export { useReadable } from './use-readable.ts'
export { useSession, type UsedSession } from './use-session.ts'
export {
  useInteractions,
  useManipulations,
  useSessionContext,
  type UsedContext,
  type UsedInteractions,
  type UsedManipulations,
  type UsedReading,
} from './use-session-context.ts'
export { useSessions } from './use-sessions.ts'
export { useStatus } from './use-status.ts'
export { useTodos } from './use-todos.ts'
export { useWorkLog } from './use-work-log.ts'
export type { WorkLogEntry } from '../projections/work-log/work-log-entry.ts'
