/** How one scenario of one agent went. */
export type Cell =
  | { readonly mark: '✓'; readonly ms: number }
  | { readonly mark: '✗'; readonly why: string }
  | { readonly mark: '–'; readonly why: string }

/** Results by scenario and agent. */
export type Results = ReadonlyMap<string, ReadonlyMap<string, Cell>>

/** The table agent × scenario, and below it why some cells are empty. */
export function tableOf(agents: readonly string[], results: Results): string {
  const width = Math.max(...[...results.keys()].map(name => name.length), 8)
  const row = (name: string, cells: readonly string[]) =>
    [name.padEnd(width), ...cells.map((cell, at) => cell.padEnd((agents[at] ?? '').length))].join('  ')
  const lines = [...results].map(([scenario, cells]) =>
    row(
      scenario,
      agents.map(agent => cells.get(agent)?.mark ?? ' '),
    ),
  )
  const reasons = [...results].flatMap(([scenario, cells]) =>
    [...cells].flatMap(([agent, cell]) =>
      cell.mark === '–' ? [`– ${agent}, ${scenario}: ${cell.why}`] : [],
    ),
  )
  return [row('', agents), ...lines, ...(reasons.length > 0 ? ['', ...reasons] : []), ''].join('\n')
}
