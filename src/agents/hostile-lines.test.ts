import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { cpuTimeOnce } from '../projections/cpu-time.fixture.ts'
import type { ConnectionId } from '../protocol/ids.ts'
import type { Json } from '../protocol/json.ts'
import type { Agent } from './agent.ts'
import { loadAgents } from './index.ts'
import { asObject } from './kit/fields.ts'
import { parseJson } from './kit/parse-json.ts'

const agents = await loadAgents()

type Path = readonly (string | number)[]

const many = 4_000
/** Milliseconds of processor time below which the growth does not matter. */
const quick = 100

/** The lists and objects in a value that are not empty. */
function* containersIn(value: Json, path: Path = []): Generator<Path> {
  if (typeof value !== 'object' || value === null) return
  const entries = Object.entries(value as Readonly<Record<string, Json>>)
  if (entries.length > 0) yield path
  for (const [key, each] of entries)
    yield* containersIn(each, [...path, Array.isArray(value) ? Number(key) : key])
}

/** A copy of a value with different ids, names and paths, so that it is a different item. */
function renamed(value: Json, mark: number, key = 'id'): Json {
  if (typeof value === 'string') return /id$|name|path/i.test(key) ? `${value}-${mark}` : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return (value as Json[]).map(each => renamed(each, mark, ''))
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, renamed(each, mark, name)]))
}

/** A line in which one list or object has many entries instead of a few. */
function grown(line: Json, [key, ...rest]: Path, count: number): Json {
  if (key !== undefined) {
    const copy = Array.isArray(line) ? [...(line as Json[])] : { ...asObject(line) }
    const fields = copy as Record<string | number, Json>
    fields[key] = grown(fields[key] ?? null, rest, count)
    return copy
  }
  const entries = Object.entries(line as Readonly<Record<string, Json>>)
  const all = Array.from({ length: count }, (_, at) => {
    const [name = '', value = null] = entries[at % entries.length] ?? []
    return [`${name}-${at}`, renamed(value, at)] as const
  })
  return Array.isArray(line)
    ? all.map(([, value]) => value)
    : { ...asObject(line), ...Object.fromEntries(all) }
}

const folderOf = ({ name }: Agent) => join(import.meta.dirname, name, 'recordings')

/** The kind of a line. Each kind is tested once. */
const kindOf = (line: Json, path: Path) =>
  [
    ...(JSON.stringify(line).match(/"(?:type|method|subtype|sessionUpdate|kind)":"[\w/.-]+"/g) ?? []).slice(
      0,
      4,
    ),
    ...path.map(key => (typeof key === 'number' ? '#' : key)),
  ].join(' ')

/** Each list and object of the recordings, once for each kind of line, with the state before that line. */
function* placesIn(agent: Agent) {
  const seen = new Set<string>()
  for (const file of readdirSync(folderOf(agent)).filter(name => name.endsWith('.jsonl'))) {
    let state = agent.initial('c1' as ConnectionId)
    for (const text of readFileSync(join(folderOf(agent), file), 'utf8').split('\n')) {
      const line = text.length > 20_000 ? undefined : parseJson(text)
      for (const path of line === undefined ? [] : containersIn(line)) {
        const kind = kindOf(line ?? null, path)
        if (seen.has(kind)) continue
        seen.add(kind)
        yield { agent, state, line: line ?? null, path, kind: `${file}: ${kind}` }
      }
      ;[state] = agent.translate(state, { from: 'agent', text })
    }
  }
}

async function timeFor(
  { agent, state, line, path }: ReturnType<typeof placesIn> extends Generator<infer P> ? P : never,
  count: number,
) {
  const text = JSON.stringify(grown(line, path, count))
  return cpuTimeOnce(() => agent.translate(state, { from: 'agent', text }))
}

it.each(agents.filter(agent => existsSync(folderOf(agent))).map(agent => [agent.name, agent] as const))(
  '[S12] [S28] %s: a line with thousands of entries takes time in proportion to their number',
  async (_, agent) => {
    const slow: string[] = []
    let count = 0
    for (const place of placesIn(agent)) {
      count += 1
      if ((await timeFor(place, many)) < quick) continue
      const [few, lots] = [await timeFor(place, many / 4), await timeFor(place, many)]
      if (lots > quick && lots > few * 9) slow.push(`${place.kind}: ${few} ms, then ${lots} ms`)
    }
    expect(count).toBeGreaterThan(0)
    expect(slow).toEqual([])
  },
)
