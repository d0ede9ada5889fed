import { useState, type KeyboardEvent, type ReactElement } from 'react'
import { inertString } from '../safety/inert-text.ts'
import { InertText } from '../safety/inert-text.tsx'
import { classNames } from '../ui/class-names.ts'
import { labelled } from './bins.ts'
import styles from './column-chart.module.css'
import type { Ticks } from './scale.ts'
import { heightsOf, type Stack, type Series } from './series.ts'
import { swatchOf } from './swatches.ts'

/** Columns over time, stacked: one stop of the keyboard, in which the arrows go from column to column. */
export function ColumnChart({
  label,
  stack,
  ticks,
  write,
  small = false,
  from = 0,
}: {
  readonly label: string
  readonly stack: Stack
  readonly ticks: Ticks
  readonly write: (value: number) => string
  readonly small?: boolean
  /** Which colour the first series has. */
  readonly from?: number
}): ReactElement {
  const { bins, series } = stack
  const [looked, setLooked] = useState<number | null>(null)
  const [stop, setStop] = useState(bins.length - 1)
  const top = ticks.at(-1) ?? 1
  const nameAt = labelled(bins.length, small ? 4 : 7)
  const here = Math.min(stop, bins.length - 1)
  return (
    <figure
      className={classNames(styles['chart'], small && styles['small'], series.length < 2 && styles['single'])}
    >
      <Readout label={label} stack={stack} looked={looked} write={write} />
      <div className={styles['plot']}>
        <Axis ticks={ticks} write={write} />
        <div
          role="group"
          aria-label={`${label}, ${bins.length} columns. Use the arrow keys to move between them.`}
          className={styles['columns']}
          onKeyDown={event => move(event, here, bins.length)}
          onMouseLeave={() => setLooked(null)}
        >
          {bins.map((bin, index) => (
            <button
              key={bin.day}
              type="button"
              className={classNames(styles['column'], index === looked && styles['looked'])}
              tabIndex={index === here ? 0 : -1}
              aria-label={columnWords(stack, index, write)}
              onMouseEnter={() => setLooked(index)}
              onFocus={() => {
                setStop(index)
                setLooked(index)
              }}
              onBlur={() => setLooked(null)}
            >
              {series.map(({ name, values }, at) => {
                const height = ((values[index] ?? 0) / top) * 100
                return (
                  height > 0 && (
                    <span key={name} className={swatchOf(at + from)} style={{ height: `${height}%` }} />
                  )
                )
              })}
            </button>
          ))}
        </div>
        <div className={styles['names']} aria-hidden>
          {bins.map((bin, index) => {
            const name = nameAt(index)
            return (
              <span key={bin.day}>
                {name !== null && (
                  <span className={classNames(styles['name'], styles[name])}>{bin.label}</span>
                )}
              </span>
            )
          })}
        </div>
      </div>
      {series.length > 1 && <Legend series={series} write={write} from={from} />}
    </figure>
  )
}

const Axis = ({
  ticks,
  write,
}: {
  readonly ticks: Ticks
  readonly write: (value: number) => string
}): ReactElement => (
  <div className={styles['axis']} aria-hidden>
    {ticks.map((tick, index) => (
      <span
        key={tick}
        className={styles['tick']}
        style={{ bottom: `${(index / (ticks.length - 1)) * 100}%` }}
      >
        <span className={styles['amount']}>{write(tick).replace(/\.0(?=[kM]$)/, '')}</span>
      </span>
    ))}
  </div>
)

/** Arrow keys move to the next column, Home and End to the ends. */
function move(event: KeyboardEvent<HTMLDivElement>, here: number, count: number): void {
  const places: Readonly<Record<string, number>> = {
    ArrowLeft: here - 1,
    ArrowRight: here + 1,
    Home: 0,
    End: count - 1,
  }
  const next = places[event.key]
  if (next === undefined || next < 0 || next >= count) return
  event.preventDefault()
  event.currentTarget.querySelectorAll('button')[next]?.focus()
}

/** The text of a column, for screen readers. */
function columnWords(stack: Stack, index: number, write: (value: number) => string): string {
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

/** The legend: each color and pattern with its total. */
const Legend = ({
  series,
  write,
  from = 0,
}: {
  readonly series: readonly Series[]
  readonly write: (value: number) => string
  readonly from?: number
}): ReactElement => (
  <ul className={styles['legend']} aria-label="Legend">
    {series.map(({ name, total }, index) => (
      <li key={name}>
        <span className={classNames(styles['swatch'], swatchOf(index + from))} aria-hidden />
        <InertText text={name} />
        <span className={styles['total']}>{write(total)}</span>
      </li>
    ))}
  </ul>
)

/** The values of the hovered column; of all columns when none is. */
function Readout({
  label,
  stack,
  looked,
  write,
}: {
  readonly label: string
  readonly stack: Stack
  readonly looked: number | null
  readonly write: (value: number) => string
}): ReactElement {
  const { bins, series } = stack
  const heights = heightsOf(stack)
  const value = looked === null ? heights.reduce((sum, each) => sum + each, 0) : (heights[looked] ?? 0)
  const name = looked === null ? `Total ${label.toLowerCase()}` : (bins[looked]?.name ?? '')
  const parts = series.filter(({ values }) => looked !== null && (values[looked] ?? 0) > 0)
  return (
    <figcaption className={styles['readout']}>
      <span>{name}</span> <strong>{write(value)}</strong>
      {looked !== null &&
        series.length > 1 &&
        parts.map(({ name: part, values }) => (
          <span key={part} className={styles['piece']}>
            <InertText text={part} /> {write(values[looked] ?? 0)}
          </span>
        ))}
    </figcaption>
  )
}
