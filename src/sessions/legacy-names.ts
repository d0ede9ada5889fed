import type { LegacyFormat } from '../context/legacy/index.ts'
import type { ConnectionId } from '../protocol/ids.ts'

/** The agent of legacy messages without an agent's name. */
export const legacyAgent = 'legacy'

/** The connection of messages from a legacy array, by which they can be recognised later. */
export const legacyConnection = (format: LegacyFormat) => `legacy:${format}` as ConnectionId
