import type { SessionStatus } from '../projections/status.ts'
import { useClient } from './provider.ts'
import { useReadable } from './use-readable.ts'

/** What a session is doing, live. */
export const useStatus = (id: string): SessionStatus => useReadable(useClient().session(id).status)
