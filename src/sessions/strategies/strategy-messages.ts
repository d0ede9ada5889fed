/** Where each strategy of one's own is: the file of a module whose default export is the function. */
export type StrategyModules = Readonly<Record<string, string>>

/** What the thread of a strategy says. */
export type FromStrategy =
  | { readonly type: 'ready' }
  /** With the milliseconds of processor time that it took: a busy machine is not its fault. */
  | { readonly type: 'answered'; readonly answer: unknown; readonly took: number }
  | { readonly type: 'failed'; readonly why: string }
