/** The labels of one sample. */
export type Labels = Readonly<Record<string, string>>

/** A number that only increases. */
export interface Counter {
  add(labels?: Labels, amount?: number): void
}

/** A number that goes up and down. */
export interface Gauge {
  set(value: number, labels?: Labels): void
  add(amount: number, labels?: Labels): void
}

/** Counts values by size. */
export interface Histogram {
  observe(value: number, labels?: Labels): void
}

/** Metrics of the server in the format of Prometheus. */
export interface Registry {
  readonly counter: (name: string, help: string) => Counter
  readonly gauge: (name: string, help: string) => Gauge
  /** A gauge that is read on each request, and left out while its value is unknown. */
  measure(name: string, help: string, read: () => number | undefined | Promise<number | undefined>): void
  readonly histogram: (name: string, help: string, bounds: readonly number[]) => Histogram
  text(): Promise<string>
}

interface Family {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  lines(): readonly string[] | Promise<readonly string[]>
}

/** An empty registry. Each metric's name starts with the prefix. */
export function createRegistry(prefix: string): Registry {
  const families: Family[] = []
  const open = (name: string, help: string, type: Family['type'], lines: (name: string) => Lines) => {
    const full = `${prefix}${name}`
    families.push({ name: full, help, type, lines: () => lines(full) })
  }
  return {
    counter(name, help) {
      const values = createValues()
      open(name, help, 'counter', full => values.lines(full))
      return { add: (labels, amount = 1) => values.add(amount, labels) }
    },
    gauge(name, help) {
      const values = createValues()
      open(name, help, 'gauge', full => values.lines(full))
      return values
    },
    measure(name, help, read) {
      open(name, help, 'gauge', async full => {
        const value = await read()
        return value === undefined ? [] : [`${full} ${value}`]
      })
    },
    histogram(name, help, bounds) {
      const histogram = createHistogram(bounds)
      open(name, help, 'histogram', full => histogram.lines(full))
      return histogram
    },
    async text() {
      const texts = await Promise.all(families.map(textOfFamily))
      return `${texts.join('\n')}\n`
    },
  }
}

type Lines = readonly string[] | Promise<readonly string[]>

async function textOfFamily(family: Family): Promise<string> {
  const { name, help, type } = family
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...(await family.lines())].join('\n')
}

function createValues() {
  const values = new Map<string, number>()
  const put = (key: string, value: number) => void values.set(key, value)
  return {
    set: (value: number, labels?: Labels) => put(textOf(labels), value),
    add(amount: number, labels?: Labels) {
      const key = textOf(labels)
      put(key, (values.get(key) ?? 0) + amount)
    },
    lines: (name: string) =>
      values.size === 0 ? [`${name} 0`] : [...values].map(([key, value]) => `${name}${key} ${value}`),
  }
}

function createHistogram(bounds: readonly number[]): Histogram & { lines(name: string): Lines } {
  const series = new Map<string, { readonly labels: Labels; readonly counts: number[]; sum: number }>()
  return {
    observe(value, labels = none) {
      const key = textOf(labels)
      const one = series.get(key) ?? {
        labels,
        counts: Array.from({ length: bounds.length + 1 }, () => 0),
        sum: 0,
      }
      series.set(key, one)
      const found = bounds.findIndex(bound => value <= bound)
      const place = found === -1 ? bounds.length : found
      one.counts[place] = (one.counts[place] ?? 0) + 1
      one.sum += value
    },
    lines: name =>
      [...series.values()].flatMap(({ labels, counts, sum }) => {
        let total = 0
        const buckets = counts.map((count, index) => {
          total += count
          return `${name}_bucket${textOf({ ...labels, le: String(bounds[index] ?? '+Inf') })} ${total}`
        })
        return [...buckets, `${name}_sum${textOf(labels)} ${sum}`, `${name}_count${textOf(labels)} ${total}`]
      }),
  }
}

const none: Labels = {}

/** The text of labels that are created once and used often. */
const known = new WeakMap<Labels, string>()

function textOf(labels: Labels = none): string {
  const text = known.get(labels) ?? makeText(labels)
  known.set(labels, text)
  return text
}

function makeText(labels: Labels): string {
  const pairs = Object.entries(labels)
  if (pairs.length === 0) return ''
  return `{${pairs.map(([name, value]) => `${name}="${escape(value)}"`).join(',')}}`
}

const escape = (value: string) =>
  value
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll('\n', String.raw`\n`)
