import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Sql, TableBatch } from './tables.ts'

/** Writes batches within the transaction that is open. A batch that fails leaves nothing behind, and throws. */
export function createTableWriter(db: DatabaseSync): (batch: TableBatch) => void {
  const prepared = new Map<string, StatementSync>()
  const prepare = (sql: string): StatementSync => {
    const known = prepared.get(sql) ?? db.prepare(sql)
    prepared.set(sql, known)
    return known
  }
  const run = ([sql, parameters]: Sql) => prepare(sql).run(...parameters)
  const runAll = (statements: readonly Sql[]) => {
    prepare('savepoint batch').run()
    try {
      for (const statement of statements) run(statement)
    } catch (error) {
      // A full disk ends the whole transaction.
      if (db.isTransaction) prepare('rollback to batch').run()
      throw error
    } finally {
      if (db.isTransaction) prepare('release batch').run()
    }
  }

  return ({ statements, unless }) => {
    const [first, ...others] = statements
    if (unless !== undefined && prepare(unless[0]).get(...unless[1]) !== undefined) return
    // One statement is all or nothing by itself.
    if (first !== undefined && others.length === 0) run(first)
    else runAll(statements)
  }
}
