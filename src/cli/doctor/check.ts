/** What was looked at, and how it is: `fail` means that Dragoman cannot work so. */
export interface Check {
  readonly name: string
  readonly status: 'ok' | 'warn' | 'fail'
  readonly detail: string
  /** What to do about it. */
  readonly advice?: string
}
