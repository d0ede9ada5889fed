import { describe, expect, it } from 'vitest'
import { listed } from '../session-summary/listed.fixture.ts'
import { facesAfter } from '../session-summary/session-face.ts'
import { everything, filterOf, fits, isNarrowed, narrowings } from './session-search.ts'

const faces = facesAfter([], [listed({ cwd: '/a' }), listed({ id: 't', cwd: '/a/b' })])

describe('searching sessions', () => {
  it('[W1] nothing chosen asks for everything', () => {
    expect(filterOf(everything)).toEqual({})
    expect(isNarrowed(everything)).toBe(false)
    expect(isNarrowed({ ...everything, words: '  ' })).toBe(false)
  })

  it('[W1] words, agent and archive are asked of the server', () => {
    const search = { words: ' fix ', agent: 'codex', folder: null, away: 'archived' } as const
    expect(filterOf(search)).toEqual({ query: 'fix', agent: 'codex', archived: '1' })
    expect(narrowings(search)).toBe(2)
    expect(filterOf({ ...everything, away: 'deleted' })).toEqual({ deleted: '1' })
  })

  it('[W1] a folder means that folder only, with words or without', () => {
    const search = { ...everything, folder: '/a' }
    expect(filterOf(search)).toEqual({ query: '/a' })
    expect(filterOf({ ...search, words: 'fix' })).toEqual({ query: 'fix' })
    expect(faces.filter(face => fits(search, face)).map(({ cwd }) => cwd)).toEqual(['/a'])
    expect(faces.filter(face => fits(everything, face))).toHaveLength(2)
  })

  it('[W1] words are never longer than the server takes', () => {
    expect(filterOf({ ...everything, words: 'x'.repeat(5000) }).query).toHaveLength(1000)
  })
})
