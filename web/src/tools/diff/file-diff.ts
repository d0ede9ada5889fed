/** A line of a diff: kept, added or removed, and its line number, if known. */
export interface DiffLine {
  readonly sign: ' ' | '+' | '-'
  readonly text: string
  readonly before: number | null
  readonly after: number | null
}

/** Consecutive lines. */
export type Hunk = readonly DiffLine[]

/** What became of one file. */
export interface FileDiff {
  readonly path: string
  readonly movedTo?: string
  readonly kind: 'add' | 'update' | 'delete' | 'write'
  readonly hunks: readonly Hunk[]
  /** Whether it was too large to compare line by line. */
  readonly tooLarge?: boolean
  /** Whether the worker is still comparing it: no hunks are known yet. */
  readonly comparing?: boolean
}

/** How many lines were added and removed. */
export function countOf({ hunks }: FileDiff): { readonly added: number; readonly removed: number } {
  const lines = hunks.flat()
  return {
    added: lines.filter(({ sign }) => sign === '+').length,
    removed: lines.filter(({ sign }) => sign === '-').length,
  }
}

/** The lines of a text; a final line break does not start another line. */
export function linesOf(text: string): readonly string[] {
  if (text === '') return []
  const plain = text.replaceAll('\r\n', '\n')
  return (plain.endsWith('\n') ? plain.slice(0, -1) : plain).split('\n')
}
