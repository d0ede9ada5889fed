import type { ReplayMark } from 'dragoman/client/replay'
import { describe, expect, it } from 'vitest'
import { markBeside, placeMarks } from './marks.ts'

const mark = (seq: number, kind: ReplayMark['kind'] = 'prompt'): ReplayMark => ({
  seq,
  kind,
  at: seq,
  label: '',
})

describe('the markers of a replay', () => {
  it('[W6] are found before and after a position', () => {
    const marks = [mark(3), mark(7), mark(9)]
    expect(markBeside(marks, 7, 1)?.seq).toBe(9)
    expect(markBeside(marks, 7, -1)?.seq).toBe(3)
    expect(markBeside(marks, 9, 1)).toBeUndefined()
  })

  it('[W6] have the right positions and a limited number', () => {
    expect(placeMarks([mark(50)], 100)).toMatchObject([{ share: 0.5 }])
    const many = Array.from({ length: 5000 }, (_, index) => mark(index))
    expect(placeMarks(many, 5000).length).toBeLessThanOrEqual(301)
    expect(placeMarks([mark(5), mark(5, 'failure')], 10)).toHaveLength(2)
  })
})
