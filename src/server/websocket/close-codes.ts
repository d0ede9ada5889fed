/** Why a WebSocket is closed by us. Those from 4000 on are our own. */
export const closeCodes = {
  /** The server ends; come back. */
  goingAway: 1001,
  /** A frame that is not text arrived. */
  notText: 1003,
  /** The reader did not read; come back with the last entry that came through. */
  notReading: 4008,
} as const
