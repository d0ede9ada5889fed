import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { mutants } from './list.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

describe('the mutants of npm run test:mutants', () => {
  it('[R2] are at least sixty, each with a unique id', () => {
    const ids = mutants.map(({ id }) => id)
    expect(ids.length).toBeGreaterThanOrEqual(60)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('[R2] can all be planted: the text that each replaces is in its file, once', () => {
    const stale = mutants.filter(({ file, from }) => read(file).split(from).length !== 2)
    expect(stale.map(({ id, file, from }) => `${id} ${file}: ${from}`)).toEqual([])
    expect(mutants.filter(({ from, to }) => from === to)).toEqual([])
  })

  it('[R2] name tests that exist', () => {
    const missing = mutants.flatMap(({ id, tests }) =>
      tests.filter(test => !existsSync(join(root, test))).map(test => `${id} ${test}`),
    )
    expect(missing).toEqual([])
    expect(mutants.filter(({ tests }) => tests.length === 0)).toEqual([])
  })
})
