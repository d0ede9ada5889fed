import { describe, expect, it } from 'vitest'
import { listed } from '../session-summary/listed.fixture.ts'
import { facesAfter } from '../session-summary/session-face.ts'
import { everything, filterOf, fits, isNarrowed, narrowings } from './session-search.ts'

const faces = facesAfter([], [listed({ cwd: '/a' }), listed({ id: 't', cwd: '/a/b' })])

describe('searching sessions', () => {
  it('[W1] without filters everything is requested', () => {
    expect(filterOf(everything)).toEqual({})
    expect(isNarrowed(everything)).toBe(false)
    expect(isNarrowed({ ...everything, words: '  ' })).toBe(false)
  })

  it('[W1] text, agent and archive filters are sent to the server', () => {
    const search = { words: ' fix ', agent: 'codex', folder: null, away: 'archived' } as const
    expect(filterOf(search)).toEqual({ query: 'fix', agent: 'codex', archived: '1' })
    expect(narrowings(search)).toBe(2)
    expect(filterOf({ ...everything, away: 'deleted' })).toEqual({ deleted: '1' })
  })

  it('[W1] a folder matches only that folder, with text or without', () => {
    const search = { ...everything, folder: '/a' }
    expect(filterOf(search)).toEqual({ query: '/a' })
    expect(filterOf({ ...search, words: 'fix' })).toEqual({ query: 'fix' })
    expect(faces.filter(face => fits(search, face)).map(({ cwd }) => cwd)).toEqual(['/a'])
    expect(faces.filter(face => fits(everything, face))).toHaveLength(2)
  })

  it('[W1] the search text never exceeds the server’s limit', () => {
    expect(filterOf({ ...everything, words: 'x'.repeat(5000) }).query).toHaveLength(1000)
  })
})
