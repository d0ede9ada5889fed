/** Where each strategy of one's own is: the file of a module whose default export is the function. */
export type StrategyModules = Readonly<Record<string, string>>

/** What the thread of a strategy says. */
export type FromStrategy =
  | { readonly type: 'ready' }
  | {
      readonly type: 'answered'
      readonly answer: unknown
      /** The milliseconds of processor time that it took: a busy machine is not its fault. */
      readonly took: number
      /** How many bytes it has beside the heap, in buffers: those no limit of a thread counts. */
      readonly beside: number
    }
  | { readonly type: 'failed'; readonly why: string }
