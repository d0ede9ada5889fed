/** The module file of each custom strategy. Its default export is the function. */
export type StrategyModules = Readonly<Record<string, string>>

/** A message from the thread of a strategy. */
export type FromStrategy =
  | { readonly type: 'ready' }
  | {
      readonly type: 'answered'
      readonly answer: unknown
      /** The processor time that it took, in milliseconds: a busy machine is not its fault. */
      readonly took: number
      /** Its bytes outside the heap, in buffers, which no limit of a thread counts. */
      readonly beside: number
    }
  | { readonly type: 'failed'; readonly why: string }
