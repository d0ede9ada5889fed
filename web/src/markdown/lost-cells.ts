import type { Token, Tokens } from 'marked'

/** A table without loss: cells beyond the last column, which the rules would drop, go on in the last column. */
export function withLostCells(table: Tokens.Table, inline: (words: string) => Token[]): Tokens.Table {
  const lines = table.raw.trimEnd().split('\n').slice(2)
  const columns = table.header.length
  const rows = table.rows.map((row, index) => {
    const cells = cellsOf(lines[index] ?? '')
    const last = row.at(-1)
    if (cells.length <= columns || last === undefined) return row
    const text = cells.slice(columns - 1).join(' | ')
    return [...row.slice(0, -1), { ...last, text, tokens: inline(text) }]
  })
  return { ...table, rows }
}

const cellsOf = (line: string) =>
  line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
    .split(/(?<!\\)\|/)
    .map(cell => cell.trim().replaceAll(String.raw`\|`, '|'))
