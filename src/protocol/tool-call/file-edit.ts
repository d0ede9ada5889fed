/** What a call does to one file. */
export interface FileEdit {
  /** As the call names it. */
  readonly path: string
  readonly kind: 'add' | 'update' | 'delete' | 'write'
  readonly movedTo?: string
  /** The texts that must be there for the edit to apply, and what takes their places. */
  readonly replaced: readonly Replaced[]
  /** Lines added and removed as far as the input shows; null when it does not. */
  readonly lines: { readonly added: number; readonly removed: number } | null
}

/** A text in a file, and what takes its place. */
export interface Replaced {
  readonly from: string
  readonly to: string
}
