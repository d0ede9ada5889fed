import { describe, expect, it } from 'vitest'
import { dayOf, groupSessions } from './group-sessions.ts'
import { facesAfter } from '../session-summary/session-face.ts'
import { listed } from '../session-summary/listed.fixture.ts'

const now = new Date(2026, 10, 15, 12).getTime()
const at = (...moment: [number, number, number, number?]) => new Date(...moment).getTime()

describe('groups of sessions', () => {
  it('[W1] waiting sessions come first, the others by day, and no group is empty', () => {
    const faces = facesAfter(
      [],
      [
        listed({ id: 'a', createdAt: at(2026, 10, 15, 9) }),
        listed({ id: 'b', createdAt: at(2026, 10, 15, 8), status: 'waiting' }),
        listed({ id: 'c', createdAt: at(2026, 10, 14, 23) }),
        listed({ id: 'd', createdAt: at(2026, 10, 14, 1) }),
      ],
    )
    const rows = groupSessions(faces, { by: 'time', now, folded: new Set() }).map(row =>
      row.kind === 'group' ? `${row.name} ${row.count}` : row.face.id,
    )
    expect(rows).toEqual(['Waiting for approval 1', 'b', 'Today 1', 'a', 'Yesterday 2', 'c', 'd'])
    expect(groupSessions([], { by: 'time', now, folded: new Set() })).toEqual([])
  })

  it('[W1] pinned sessions come after waiting ones, and projects are in the order of their newest session', () => {
    const faces = facesAfter(
      [],
      [
        listed({ id: 'a', cwd: '/home/ada/engine' }),
        listed({ id: 'b', cwd: '/srv/site/app' }),
        listed({ id: 'c', cwd: '/home/ada/engine' }),
        listed({ id: 'd', cwd: '/home/ada/engine', pinned: true }),
        listed({ id: 'e', cwd: '/other/site/app', status: 'waiting', pinned: true }),
      ],
    )
    const rowsOf = (...folded: readonly string[]) =>
      groupSessions(faces, { by: 'project', now, folded: new Set(folded) }).map(row =>
        row.kind === 'group' ? `${row.name} ${row.count}` : row.face.id,
      )
    const top = ['Waiting for approval 1', 'e', 'Pinned 1', 'd']
    expect(rowsOf()).toEqual([...top, 'ada/engine 2', 'a', 'c', 'site/app 1', 'b'])
    expect(rowsOf('/home/ada/engine', 'Pinned')).toEqual([...top, 'ada/engine 2', 'site/app 1', 'b'])
  })

  it('[W1] days have their usual names', () => {
    expect(dayOf(at(2026, 10, 15, 0), now)).toBe('Today')
    expect(dayOf(now + 60_000_000, now)).toBe('Today')
    expect(dayOf(at(2026, 10, 14, 23), now)).toBe('Yesterday')
    expect(dayOf(at(2026, 10, 11), now)).toBe('Wednesday')
    expect(dayOf(at(2026, 9, 2), now)).toBe('October 2026')
  })
})
