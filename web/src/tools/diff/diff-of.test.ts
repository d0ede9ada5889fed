import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from 'dragoman'
import { changedWords } from './changed-words.ts'
import { changedLines } from './changed-lines.ts'
import { compareLines } from './compare-lines.ts'
import { diffOf } from './diff-of.ts'
import { countOf, linesOf, type FileDiff } from './file-diff.ts'
import { readUnified } from './read-unified.ts'

const diff = (tool: string, input: Json, output?: Json, agent = 'claude-code') =>
  diffOf({ tool, input, output, error: undefined, agent, cwd: '/w' })

const drawn = ({ hunks }: FileDiff) => hunks.map(hunk => hunk.map(({ sign, text }) => sign + text))
const numbers = ({ hunks }: FileDiff) => hunks.flat().map(({ before, after }) => [before, after])

describe('the changes of a call', () => {
  it('[W2] are read from old and new strings, one or many', () => {
    const [file] = diff('Edit', { file_path: '/w/a.ts', old_string: 'a\nb\nc', new_string: 'a\nB\nc' })
    expect(file && [file.path, drawn(file), countOf(file)]).toEqual([
      'a.ts',
      [[' a', '-b', '+B', ' c']],
      { added: 1, removed: 1 },
    ])
    const edits = [
      { old_string: 'one', new_string: 'two' },
      { old_string: 'x', new_string: '' },
    ]
    const [many] = diff('MultiEdit', { file_path: 'a', edits })
    expect(many && drawn(many)).toEqual([['-one', '+two'], ['-x']])
  })

  it('[W2] have line numbers where the result contains them', () => {
    const structuredPatch = [
      { oldStart: 7, oldLines: 2, newStart: 7, newLines: 2, lines: [' a', '-b', '+c'] },
    ]
    const output = { content: 'ok', structured: { filePath: '/w/a.ts', structuredPatch } }
    const [file] = diff('Edit', { file_path: '/w/a.ts', old_string: 'b', new_string: 'c' }, output)
    expect(file && numbers(file)).toEqual([
      [7, 7],
      [8, null],
      [null, 8],
    ])
  })

  it('[W2] can be a whole new file', () => {
    const [file] = diff('Write', { file_path: '/w/a.md', content: '# A\n\nb\n' })
    expect(file && [file.kind, drawn(file), numbers(file)]).toEqual([
      'write',
      [['+# A', '+', '+b']],
      [
        [null, 1],
        [null, 2],
        [null, 3],
      ],
    ])
  })

  it('[W2] are read from a Codex patch: new, changed, moved and deleted files', () => {
    const patch = [
      '*** Begin Patch',
      '*** Add File: new.txt',
      '+one',
      '+two',
      '*** Update File: old.txt',
      '*** Move to: moved.txt',
      '@@ def f():',
      ' kept',
      '-gone',
      '+come',
      '*** Delete File: dead.txt',
      '*** End Patch',
    ].join('\n')
    const files = diff('apply_patch', patch, 'Done', 'codex')
    expect(files.map(file => [file.kind, file.path, file.movedTo, drawn(file)])).toEqual([
      ['add', 'new.txt', undefined, [['+one', '+two']]],
      ['update', 'old.txt', 'moved.txt', [[' def f():', ' kept', '-gone', '+come']]],
      ['delete', 'dead.txt', undefined, []],
    ])
    expect(diff('apply_patch', { patchText: patch }, undefined, 'opencode')).toEqual(files)
  })

  it('[W2] are read from the changes of the Codex app server', () => {
    const changes = [
      {
        path: '/w/a',
        kind: { type: 'update', move_path: '/w/b' },
        diff: '@@ -1 +1 @@\n-x\n+y\n\n\nMoved to: /w/b',
      },
      { path: '/w/n', kind: { type: 'add' }, diff: '# N\nwords\n' },
      { path: '/w/d', kind: { type: 'delete' }, diff: 'bye\n' },
    ]
    const files = diff('fileChange', { changes }, { status: 'completed' }, 'codex')
    expect(files.map(file => [file.kind, file.path, file.movedTo, drawn(file)])).toEqual([
      ['update', 'a', 'b', [['-x', '+y']]],
      ['add', 'n', undefined, [['+# N', '+words']]],
      ['delete', 'd', undefined, [['-bye']]],
    ])
  })

  it('[W2] are read from a unified diff of git, with all its headers', () => {
    const text = [
      'diff --git a/src/a.ts b/src/a.ts',
      'index 1..2 100644',
      '--- a/src/a.ts',
      '+++ b/src/a.ts',
      '@@ -10,3 +10,3 @@ function f() {',
      ' one',
      '--- looks like a head',
      '+two',
      ' three',
      '\\ No newline at end of file',
      'diff --git a/b b/c',
      'rename to c',
      'diff --git a/n b/n',
      'new file mode 100644',
      '--- /dev/null',
      '+++ b/n',
      '@@ -0,0 +1 @@',
      '+new',
    ].join('\n')
    const files = readUnified(text)
    expect(files.map(({ kind, path, movedTo }) => [kind, path, movedTo])).toEqual([
      ['update', 'src/a.ts', undefined],
      ['update', 'b', 'c'],
      ['add', 'n', undefined],
    ])
    expect(files[0] && drawn(files[0])[0]?.[1]).toBe('--- looks like a head')
    expect(files[0] && numbers(files[0])[2]).toEqual([null, 11])
  })

  it('[W2] are read from the diff of an ACP agent', () => {
    const content = [
      { type: 'diff', path: '/w/x', oldText: null, newText: 'created\n', _meta: { kind: 'add' } },
    ]
    const [file] = diff('edit', { title: 'Editing', kind: 'edit', content }, { content }, 'acp')
    expect(file && [file.kind, file.path, drawn(file)]).toEqual(['add', 'x', [['+created']]])
  })

  it('[W2] are empty before the input has arrived', () => {
    expect(diff('Edit', {})).toEqual([])
    expect(diff('Write', { file_path: 'a' })).toEqual([])
    expect(diff('Edit', null)).toEqual([])
  })
})

describe('comparing lines', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', '', ' d'), { maxLength: 40 })
    .map(lines => lines.join('\n'))

  it('[W2] drops no changed line, and unchanged lines are in both texts', () => {
    fc.assert(
      fc.property(text, text, (from, to) => {
        const lines = compareLines(from, to, 1).hunks.flat()
        const [before, after] = [linesOf(from), linesOf(to)]
        for (const { sign, text: words, before: old, after: now } of lines) {
          if (sign !== '+') expect(before[(old ?? 0) - 1]).toBe(words)
          if (sign !== '-') expect(after[(now ?? 0) - 1]).toBe(words)
        }
        const added = lines.filter(({ sign }) => sign === '+').length
        const removed = lines.filter(({ sign }) => sign === '-').length
        expect(added - removed).toBe(after.length - before.length)
      }),
    )
  })

  /** The length of the longest common subsequence, by the textbook. */
  function commonLength(a: readonly string[], b: readonly string[]): number {
    const row = Array.from({ length: b.length + 1 }, () => 0)
    for (const line of a) {
      let corner = 0
      for (const [at, other] of b.entries()) {
        const above = row[at + 1] ?? 0
        row[at + 1] = line === other ? corner + 1 : Math.max(above, row[at] ?? 0)
        corner = above
      }
    }
    return row.at(-1) ?? 0
  }

  it('[W2] gives the new text when it is applied, with as few changes as possible', () => {
    fc.assert(
      fc.property(text, text, (from, to) => {
        const [before, after] = [linesOf(from), linesOf(to)]
        const changed = changedLines(before, after)
        const kept = before.filter((_, at) => changed?.removed[at] === 0)
        expect(after.filter((_, at) => changed?.added[at] === 0)).toEqual(kept)
        expect(kept).toHaveLength(commonLength(before, after))
      }),
      { numRuns: 500 },
    )
  })

  const countsOf = (from: readonly string[], to: readonly string[]) => {
    const { hunks, tooLarge } = compareLines(from.join('\n'), to.join('\n'))
    return { ...countOf({ path: '', kind: 'update', hunks }), tooLarge }
  }
  const many = (length: number, line: (at: number) => string) => Array.from({ length }, (_, at) => line(at))

  it('[W2] finds the changed lines of a large edit', () => {
    const from = many(3000, at => `line ${at}`)
    const every = from.map((line, at) => (at % 3 === 0 ? `${line}!` : line))
    expect(countsOf(from, every)).toEqual({ added: 1000, removed: 1000, tooLarge: false })
    const repeated = many(3000, at => `line ${at % 50}`)
    const swapped = repeated.map((line, at) => (at % 3 === 0 ? 'line 7' : line))
    const { added, removed, tooLarge } = countsOf(repeated, swapped)
    expect(tooLarge).toBe(false)
    expect(added).toBe(removed)
    expect(added).toBeLessThanOrEqual(1000)
    expect(
      countsOf(
        many(20_000, at => `a ${at}`),
        many(20_000, at => `b ${at}`),
      ),
    ).toMatchObject({ tooLarge: false })
  })

  it('[W2] reports texts that are too large to compare, for the same texts each time', () => {
    const from = many(30_000, at => `line ${(at * 7919) % 30_000}`)
    const to = many(30_000, at => `line ${(at * 104_729) % 30_000}`)
    const [first, second] = [countsOf(from, to), countsOf(from, to)]
    expect(first).toMatchObject({ tooLarge: true })
    expect(second).toEqual(first)
  })

  it('[W2] marks the words that differ, except in lines with little in common', () => {
    const [hunk = []] = compareLines('const answer = 41', 'const answer = 42').hunks
    expect(changedWords(hunk).get(0)).toEqual([
      { text: 'const answer = ', changed: false },
      { text: '41', changed: true },
    ])
    const [other = []] = compareLines('alpha beta', 'something else entirely').hunks
    expect(changedWords(other).size).toBe(0)
  })
})
