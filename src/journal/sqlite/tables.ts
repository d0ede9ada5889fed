/**
 * Tables in the journal's database that are not the journal's: the catalogue on SQLite. This is a contract between
 * these two only; nothing else sees SQL.
 */
export interface Tables {
  /** Writes a batch with the next commit. If that fails, the batches that were given meanwhile fail too. */
  write(batch: TableBatch): Promise<void>
  read(sql: string, parameters: readonly Cell[]): Promise<readonly Row[]>
}

/** Statements that belong together: all of them run, in order, or none. */
export interface TableBatch {
  readonly statements: readonly Sql[]
  /** A query. If it finds a row, the batch is skipped. */
  readonly unless?: Sql
}

/** SQL text and its parameters. Values belong into parameters: the writer keeps every statement that it prepared. */
export type Sql = readonly [sql: string, parameters: readonly Cell[]]

/** The value of a cell. */
export type Cell = string | number | null
/** A row by column name. */
export type Row = Readonly<Record<string, Cell>>
