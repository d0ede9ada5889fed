import { describe, expect, it } from 'vitest'
import { commandItems, findItems, hitItems, type PaletteItem } from './palette-items.ts'

const item = (id: string, title: string, group = 'Go to', hint?: string): PaletteItem => ({
  id,
  title,
  group,
  ...(hint !== undefined && { hint }),
  run() {},
})

const items = [
  item('dashboard', 'Dashboard'),
  item('approvals', 'Approvals'),
  item('dark', 'Dark', 'Theme'),
  item('session:1', 'Mend the dashboard', 'Open a session', 'claude-code · shop'),
  ...Array.from({ length: 10 }, (_, at) => item(`session:x${at}`, `Session ${at}`, 'Open a session')),
]

const titles = (typed: string, recent: readonly string[] = []) =>
  findItems(typed, items, recent).map(({ name, items: all }) => [name, ...all.map(({ title }) => title)])

describe('the command palette', () => {
  it('[W7] lists recently used items first, each once, and only a few sessions', () => {
    const [first, ...rest] = titles('', ['dark', 'gone', 'session:1'])
    expect(first).toEqual(['Recent', 'Dark', 'Mend the dashboard'])
    expect(rest.map(([name]) => name)).toEqual(['Go to', 'Open a session'])
    expect(rest.at(-1)).toHaveLength(1 + 6)
    expect(titles('')[0]?.[0]).toBe('Go to')
  })

  it('[W1] finds sessions by title, and by agent and folder', () => {
    expect(titles('mend')).toEqual([['Results', 'Mend the dashboard']])
    expect(titles('shop')).toEqual([['Results', 'Mend the dashboard']])
    expect(titles('dashb')[0]?.slice(1)).toEqual(['Dashboard', 'Mend the dashboard'])
  })

  it('[W7] finds items by heading, after items with the word in their title', () => {
    expect(titles('theme')).toEqual([['Results', 'Dark']])
    expect(titles('nothing of the kind')).toEqual([])
  })

  it('[W7] puts recently used items before others that match equally well', () => {
    expect(titles('session', ['session:x7'])[0]?.[1]).toBe('Session 7')
  })

  it('[W7] lists only available commands', () => {
    const run = () => {}
    const commands = [
      { id: 'a', title: 'A', group: 'g', run },
      { id: 'b', title: 'B', group: 'g', run, when: () => false },
      { id: 'c', title: 'C', group: 'g', run, inPalette: false },
    ]
    expect(commandItems(commands).map(({ id }) => id)).toEqual(['a'])
  })

  it('[J15] lists places in conversations after the commands, whether or not their letters match', () => {
    const hit = {
      session: 's1',
      seq: 1,
      messageId: 'm',
      part: 'm/0',
      kind: 'answer' as const,
      at: 0,
      snippet: `${'before '.repeat(8)}the \u202Eparser works`,
      ranges: [[60, 67]] as [number, number][],
    }
    const opened: unknown[] = []
    const hits = hitItems(
      [hit],
      () => 'Mend it',
      found => opened.push(found),
    )
    expect(findItems('', [...items, ...hits], []).map(({ name }) => name)).not.toContain('In conversations')
    const [, group] = findItems('dashboard', [...items, ...hits], [])
    expect(group?.name).toBe('In conversations')
    const [found] = group?.items ?? []
    expect(found).toMatchObject({ hint: 'Answer · Mend it' })
    expect(found?.title).not.toContain('\u202E')
    expect(found?.places.map(at => found.title[at]).join('')).toMatch(/parser$/)
    expect(found?.places[0]).toBeLessThan(30)
    found?.run()
    expect(opened).toEqual([hit])
  })
})
