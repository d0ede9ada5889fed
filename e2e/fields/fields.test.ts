import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { codex } from '../agents/live/codex.ts'
import { geminiCli } from '../agents/live/gemini-cli.ts'
import { opencode } from '../agents/live/opencode.ts'
import { generatedFile, withExtras, type Tables } from './generated-file.ts'
import { readTypes } from './read-types.ts'
import { sources } from './sources.ts'

const agents = join(import.meta.dirname, '../../src/agents')
const folder = mkdtempSync(join(tmpdir(), 'dragoman-fields-'))
afterAll(() => rmSync(folder, { recursive: true }))

const published = `
  interface Base { id: string }
  interface Text extends Base { type: 'text'; text?: string }
  type Call = Base & { type: 'call' | 'tool'; input: unknown; [mark]: true }
  declare const mark: unique symbol
  export type Part = Text | Call | (Omit<Text, 'type'> & { type: 'call'; old: string })
  export interface Event { method: 'add'; params: { part: Part } | { parts: Part[] } }`

describe('tables of known fields', () => {
  it('[A3] list the fields of published types, by kind, also of inherited and joined types', () => {
    writeFileSync(join(folder, 'published.ts'), published)
    const tables = readTypes(folder, "import type * as all from './published.ts'", {
      parts: { type: 'all.Part', by: 'type' },
      calls: { type: 'all.Part', by: 'type', kinds: 'call', prefix: 'part/' },
      params: { type: 'all.Event', by: 'method', in: 'params' },
      event: { type: 'all.Event' },
    })
    expect(tables).toEqual({
      parts: { call: 'id input old text type', text: 'id text type', tool: 'id input type' },
      calls: { 'part/call': 'id input old text type' },
      params: { add: 'part parts' },
      event: 'method params',
    })
  })

  it('[A3] are not made from a type that is missing or has no such kind', () => {
    const read = (type: string, kinds: string) => () =>
      readTypes(folder, "import type * as all from './published.ts'", { parts: { type, by: 'type', kinds } })
    writeFileSync(join(folder, 'published.ts'), published)
    expect(read('all.Part', 'text smell')).toThrow('The type parts has no fields for "smell".')
    expect(read('all.Missing', 'text')).toThrow('The type parts has no fields for "text".')
  })

  it('[A3] get extras, but none that the published type has', () => {
    const tables: Tables = { parts: { a: 'x', b: 'x y' }, one: 'z' }
    const add = (of: string, fields: string) =>
      withExtras(tables, [{ of, fields, why: 'A recording has them.' }])
    expect(add('parts *', 'y w')).toEqual({ ...tables, parts: { a: 'w x y', b: 'w x y' } })
    expect(add('parts c', 'v')).toEqual({ ...tables, parts: { a: 'x', b: 'x y', c: 'v' } })
    expect(add('one', 'a')).toEqual({ ...tables, one: 'a z' })
    expect(() => add('parts *', 'x')).toThrow('The published type of parts * has the field x.')
    expect(() => add('two', 'x')).toThrow('There is no table two.')
  })

  it.each(Object.entries(sources))(
    '[A3] of %s are the ones that were generated last',
    async (agent, source) => {
      const file = join(agents, agent, 'fields.generated.ts')
      const tables = (await import(file)) as Tables
      const [header = ''] = generatedFile(source.packages, {}).split('\n')
      expect(readFileSync(file, 'utf8')).toContain(header)
      expect(Object.keys(tables).toSorted()).toEqual(Object.keys(source.tables).toSorted())
      for (const [name, { kinds = '', prefix = '' }] of Object.entries(source.tables))
        for (const kind of kinds.split(/\s+/).filter(Boolean))
          expect(tables[name]).toHaveProperty([prefix + kind])
      for (const extra of source.extras)
        expect(() => withExtras(tables, [extra]), extra.of).toThrow('has the field')
    },
  )

  it('[A3] come from the releases that npm run test:agents tries', () => {
    expect(sources['codex']?.packages).toMatchObject({ '@openai/codex': codex.cli.version })
    expect(sources['gemini-cli']?.packages).toEqual({ '@google/gemini-cli-core': geminiCli.cli.version })
    expect(sources['opencode']?.packages).toEqual({ '@opencode-ai/sdk': opencode.cli.version })
  })
})
