import { inertString } from '../safety/inert-text.ts'
import { heightsOf, type Stack } from './series.ts'

/** What a column says, for those who do not see it. */
export function columnWords(stack: Stack, index: number, write: (value: number) => string): string {
  const { bins, series } = stack
  const all = write(heightsOf({ bins: bins.slice(index, index + 1), series: cut(stack, index) })[0] ?? 0)
  const parts = series.flatMap(({ name, values }) =>
    values[index] ? [`${inertString(name)} ${write(values[index])}`] : [],
  )
  const name = bins[index]?.name ?? ''
  return parts.length > 1 ? `${name}: ${all}; ${parts.join(', ')}` : `${name}: ${all}`
}

const cut = ({ series }: Stack, index: number) =>
  series.map(each => ({ ...each, values: [each.values[index] ?? 0] }))
