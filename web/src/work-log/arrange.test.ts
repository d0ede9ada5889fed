import { describe, expect, it } from 'vitest'
import type { WorkLogEntry } from 'dragoman/client/work-log'
import { anyWork, filterWork, namesOf, rowsOf, totalsOf, withOlder } from './arrange.ts'
import { resourceWords } from './work-details.tsx'

const entry = (toolCallId: string, change: Partial<WorkLogEntry> = {}): WorkLogEntry => ({
  toolCallId,
  message: 'm',
  thread: null,
  interaction: 'i1',
  tool: 'Read',
  family: 'read',
  effect: 'read',
  sentence: 'Read a.ts',
  parameters: {},
  outcome: 'success',
  approval: null,
  impact: [],
  duration: 10,
  start: { seq: 1, at: 100 },
  stop: null,
  seqs: [],
  raws: [],
  ...change,
})

const edit = entry('2', {
  tool: 'Edit',
  effect: 'write',
  sentence: 'Changed b.ts',
  impact: [{ resource: 'file:/b.ts', change: 'changed' }],
  interaction: 'i2',
})
const failed = entry('3', {
  outcome: 'failure',
  tool: 'Bash',
  effect: 'run',
  duration: null,
  interaction: 'i2',
})
const all = [entry('1'), edit, failed]

describe('the work log', () => {
  it('[W5] filters lines by outcome, tool, effect and text', () => {
    expect(filterWork(all, anyWork)).toBe(all)
    expect(filterWork(all, { ...anyWork, outcome: 'failure' })).toEqual([failed])
    expect(filterWork(all, { ...anyWork, tool: 'Edit' })).toEqual([edit])
    expect(filterWork(all, { ...anyWork, effect: 'write', text: 'B.TS' })).toEqual([edit])
    expect(filterWork(all, { ...anyWork, text: 'nowhere' })).toEqual([])
  })
  it('[W5] counts calls, failures and each changed file once', () => {
    const again = { ...edit, toolCallId: '4', outcome: 'pending' as const }
    expect(totalsOf([...all, again])).toEqual({
      calls: 4,
      running: 1,
      failures: 1,
      files: 1,
      milliseconds: 30,
    })
  })
  it('[W5] groups calls by interaction', () => {
    expect(rowsOf(all).map(({ key }) => key)).toEqual([
      'interaction i1',
      'm 1',
      'interaction i2',
      'm 2',
      'm 3',
    ])
    expect(rowsOf(all)[2]).toMatchObject({ calls: 2, failures: 1 })
  })
  it('[W5] nests the calls of subagents, to any depth', () => {
    const calls = [
      entry('a'),
      entry('b', { thread: 'a' }),
      entry('c', { thread: 'b' }),
      entry('d', { thread: 'd' }),
    ]
    const depths = rowsOf(calls).flatMap(row => (row.kind === 'call' ? row.depth : []))
    expect(depths).toEqual([0, 1, 2, 9])
  })
  it('[W5] lists the tools and effects to choose from', () => {
    expect(namesOf(all, 'tool')).toEqual(['Bash', 'Edit', 'Read'])
  })
  it('[W5] has each line once, oldest first', () => {
    const older = [entry('0'), entry('1', { sentence: 'old' })]
    expect(withOlder(older, all).map(({ toolCallId }) => toolCallId)).toEqual(['0', '1', '2', '3'])
    expect(withOlder(older, all)[1]).toBe(all[0])
  })
  it('[W5] names resources in plain words', () => {
    expect(resourceWords('file:/home/me/app/src/a.ts', '/home/me/app')).toBe('src/a.ts')
    expect(resourceWords('file:/etc/hosts', '/home/me/app')).toBe('/etc/hosts')
    expect(resourceWords('command:npm test', null)).toBe('npm test')
    expect(resourceWords('odd', null)).toBe('odd')
  })
})
