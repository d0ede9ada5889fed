import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'

const source = import.meta.dirname

/** From bottom to top. A folder imports from lower layers, and from folders in its own layer without a cycle. */
const layers: readonly (readonly string[])[] = [
  ['places.ts', 'safety'],
  ['ui'],
  ['agents', 'drafts', 'keyboard', 'links', 'markdown', 'search', 'session-summary', 'sign-in', 'tools'],
  ['approvals', 'composer', 'context', 'inspector', 'outline', 'transcript', 'work-log'],
  ['approvals-page', 'dashboard', 'replay', 'session', 'sessions', 'settings', 'welcome'],
  ['app.tsx', 'commands', 'frame', 'main.tsx', 'worker'],
]

const isProduct = (file: string) => /\.tsx?$/.test(file) && !/\.(test|fixture|d)\.tsx?$/.test(file)

const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(isProduct)

/** The folder that a file belongs to, or the file itself where it is in none. */
const roomOf = (file: string) => file.split('/')[0] ?? file

const layerOf = (file: string) => layers.findIndex(rooms => rooms.includes(roomOf(file)))

interface Import {
  readonly from: string
  readonly to: string
}

const imports: readonly Import[] = files.flatMap(from =>
  [...readFileSync(join(source, from), 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+\.tsx?)'/g)].map(
    ([, path = '']) => ({ from, to: normalize(join(dirname(from), path)) }),
  ),
)

const written = ({ from, to }: Import) => `${from} → ${to}`

describe('the layers of the web app', () => {
  it('[A1] every top-level folder and file belongs to one layer', () => {
    expect([...new Set(files.map(roomOf))].toSorted()).toEqual(layers.flat().toSorted())
  })

  it('[A1] no folder imports from a layer above it', () => {
    const upward = imports.filter(({ from, to }) => layerOf(to) > layerOf(from))
    expect(imports.length).toBeGreaterThan(500)
    expect(upward.map(written)).toEqual([])
  })

  it('[A1] folders in one layer do not import each other in a cycle', () => {
    const beside = imports.filter(
      ({ from, to }) => layerOf(from) === layerOf(to) && roomOf(from) !== roomOf(to),
    )
    const reaches = (room: string, goal: string, seen: ReadonlySet<string> = new Set()): boolean =>
      beside.some(({ from, to }) => {
        const next = roomOf(to)
        if (roomOf(from) !== room || seen.has(next)) return false
        return next === goal || reaches(next, goal, new Set([...seen, next]))
      })
    expect(beside.filter(({ from, to }) => reaches(roomOf(to), roomOf(from))).map(written)).toEqual([])
  })

  it('[A1] no file imports itself through other files, not even for a type', () => {
    const targets = Map.groupBy(imports, ({ from }) => from)
    const done = new Set<string>()
    const cycles: string[] = []
    const visit = (file: string, path: readonly string[]): void => {
      const at = path.indexOf(file)
      if (at !== -1) return void cycles.push([...path.slice(at), file].join(' → '))
      if (done.has(file)) return
      for (const { to } of targets.get(file) ?? []) visit(to, [...path, file])
      done.add(file)
    }
    for (const file of files) visit(file, [])
    expect(cycles).toEqual([])
  })
})
