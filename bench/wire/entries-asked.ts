/** The requests to a crowd of clients. */
export type EntriesAsked =
  /** Each address is one client. A WebSocket follows the `session` and `after` in its address. */
  | {
      readonly type: 'join'
      readonly urls: readonly string[]
      readonly headers: Readonly<Record<string, string>>
      readonly over: 'sse' | 'websocket'
      readonly reads: boolean
    }
  | { readonly type: 'count' }
  | { readonly type: 'leave' }

/** How many entries came since they joined, and how many out of order. */
export interface EntriesTold {
  readonly entries: number
  readonly faults: number
}
