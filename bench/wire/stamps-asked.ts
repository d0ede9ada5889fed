/** The requests to the reader of stamps. */
export type StampsAsked =
  | {
      readonly type: 'follow'
      readonly url: string
      readonly headers: Readonly<Record<string, string>>
      readonly peer: boolean
    }
  | { readonly type: 'count' }
  | { readonly type: 'look' }

/** How old each line was when it came (when looked at), when the last one did, and how many there were. */
export interface StampsTold {
  readonly ages: readonly number[]
  readonly lastAt: number
  readonly count: number
}
