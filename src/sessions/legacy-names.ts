import type { LegacyFormat } from '../context/legacy/index.ts'
import type { ConnectionId } from '../protocol/ids.ts'

/** The agent of messages whose array does not name one. */
export const legacyAgent = 'legacy'

/** The connection that messages of an imported array belong to, so that they can be recognised later. */
export const legacyConnection = (format: LegacyFormat) => `legacy:${format}` as ConnectionId
