// @vitest-environment jsdom
import { act, type ReactElement } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, it, onTestFinished } from 'vitest'
import { dollars } from '../ui/amounts.ts'
import { ColumnChart } from './column-chart.tsx'
import { DataTable } from './data-table.tsx'
import type { Stack } from './series.ts'

async function show(element: ReactElement): Promise<HTMLElement> {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  await act(async () => root.render(element))
  onTestFinished(async () => {
    await act(async () => root.unmount())
    place.remove()
  })
  return place
}

const bin = (day: string) => ({ day, label: day, name: `day ${day}` })
const stack: Stack = {
  bins: [bin('1'), bin('2'), bin('3')],
  series: [
    { name: 'codex', values: [1, 0, 2], total: 3 },
    { name: 'evil\u202Eagent', values: [0, 0, 1], total: 1 },
  ],
}

it('[W6] columns have a description, are one tab stop, and the arrow keys move through them', async () => {
  const place = await show(<ColumnChart label="Cost" stack={stack} ticks={[0, 2, 4]} write={dollars} />)
  const columns = [...place.querySelectorAll('button')]
  expect(columns.map(each => each.tabIndex)).toEqual([-1, -1, 0])
  expect(columns[0]?.getAttribute('aria-label')).toBe('day 1: $1.00')
  expect(columns[2]?.getAttribute('aria-label')).toMatch(
    /^day 3: \$3\.00; codex \$2\.00, evil⟨.+⟩agent \$1\.00$/,
  )
  const press = (key: string) =>
    act(async () =>
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })),
    )
  await act(async () => columns[2]?.focus())
  expect(place.querySelector('figcaption')?.textContent).toContain('day 3 $3.00')
  await press('ArrowLeft')
  expect(document.activeElement).toBe(columns[1])
  expect(place.querySelector('figcaption')?.textContent).toContain('day 2 $0.00')
  await press('Home')
  expect(document.activeElement).toBe(columns[0])
  await press('ArrowLeft')
  expect(document.activeElement).toBe(columns[0])
  expect(place.querySelector('ul')?.textContent).toContain('codex$3.00')
})

it('[W6] tables sort by any column, put unknown values last, and announce the order', async () => {
  const rows = [
    { name: 'b', cost: 2 },
    { name: 'a', cost: null },
    { name: 'c', cost: 5 },
  ]
  const place = await show(
    <DataTable
      caption="Cost"
      rows={rows}
      keyOf={({ name }) => name}
      first="Cost"
      columns={[
        { name: 'Name', valueOf: ({ name }) => name, show: ({ name }) => name },
        { name: 'Cost', valueOf: ({ cost }) => cost, show: ({ cost }) => cost ?? '–' },
      ]}
    />,
  )
  const names = () => Array.from(place.querySelectorAll('tbody th'), each => each.textContent)
  const sorted = () => Array.from(place.querySelectorAll('thead th'), each => each.getAttribute('aria-sort'))
  const press = (index: number) => act(async () => place.querySelectorAll('button')[index]?.click())
  expect([names(), sorted()]).toEqual([
    ['c', 'b', 'a'],
    [null, 'descending'],
  ])
  await press(1)
  expect([names(), sorted()]).toEqual([
    ['b', 'c', 'a'],
    [null, 'ascending'],
  ])
  await press(0)
  expect([names(), sorted()]).toEqual([
    ['c', 'b', 'a'],
    ['descending', null],
  ])
})
