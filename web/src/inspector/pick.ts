/** What of the lines is looked at: an entry, or one of its chunks. */
export interface Pick {
  readonly seq: number
  readonly chunk: number | null
}
