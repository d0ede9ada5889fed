/** Where each strategy of one's own is: the file of a module whose default export is the function. */
export type StrategyModules = Readonly<Record<string, string>>

/** What the thread of a strategy says. */
export type FromStrategy =
  | { readonly type: 'ready' }
  | { readonly type: 'answered'; readonly answer: unknown }
  | { readonly type: 'failed'; readonly why: string }
