import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { filesOf, hitsOf } from './hits-of.ts'
import { readNumbered } from './read-sections.ts'
import { sectionsOf, picturesIn } from './sections-of.ts'
import type { ShownCall } from './shown-call.ts'

const call = (tool: string, input: ShownCall['input'], output?: ShownCall['output']): ShownCall => ({
  tool,
  input,
  output,
  error: undefined,
  agent: 'claude-code',
  cwd: '/w',
})

describe('the text of a file', () => {
  it('[W2] has no line numbers that agents put before its lines', () => {
    expect(readNumbered('     7→a\n     8→\n     9→c')).toMatchObject({ first: 7, text: 'a\n\nc', after: '' })
    expect(readNumbered('1\ta\n2\t')).toMatchObject({ first: 1, text: 'a\n' })
    expect(readNumbered('<file>\n00001| a\n00002| b\n</file>')).toEqual({
      before: '<file>',
      first: 1,
      text: 'a\nb',
      after: '</file>',
    })
    expect(readNumbered('1: alpha\n2: beta\n\n(End)')).toMatchObject({
      text: 'alpha\nbeta',
      after: '\n(End)',
    })
    expect(readNumbered('no numbers\nhere')).toBeNull()
    expect(readNumbered('1→a\n5→b')).toMatchObject({ text: 'a', after: '5→b' })
  })
})

describe('the results of a search', () => {
  it('[W2] are grouped by file, in each agent’s format', () => {
    expect(hitsOf('a.ts:3:x: y\na.ts-4-near\nb.ts:1:z')).toEqual([
      {
        path: 'a.ts',
        hits: [
          { line: 3, text: 'x: y' },
          { line: 4, text: 'near', near: true },
        ],
      },
      { path: 'b.ts', hits: [{ line: 1, text: 'z' }] },
    ])
    expect(hitsOf('Found 1 matches\n/w/a.ts:\n  Line 3: x')).toEqual([
      { path: null, hits: [{ line: null, text: 'Found 1 matches' }] },
      { path: '/w/a.ts', hits: [{ line: 3, text: 'x' }] },
    ])
    expect(hitsOf('---\nFile: a.js\nL3: x\n---')).toEqual([{ path: 'a.js', hits: [{ line: 3, text: 'x' }] }])
    expect(hitsOf('2:x\n3-y\n--\n9:z', 'only.go')).toEqual([
      {
        path: 'only.go',
        hits: [
          { line: 2, text: 'x' },
          { line: 3, text: 'y', near: true },
          { line: 9, text: 'z' },
        ],
      },
    ])
    expect(filesOf('/w/a.ts\nNo files found').map(({ path }) => path)).toEqual(['/w/a.ts', null])
  })

  it('[W2] keep every word of any text', () => {
    const line = fc.oneof(
      fc.string({ maxLength: 30 }),
      fc.constantFrom('a.ts:3:x', 'a.ts-4-y', '12:z', 'File: q', 'L3: w', '/p/f:', '  Line 9: v'),
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), lines => {
        const text = lines.join('\n')
        const shown = hitsOf(text)
          .flatMap(({ path, hits }) => [
            path ?? '',
            ...hits.flatMap(hit => [String(hit.line ?? ''), hit.text]),
          ])
          .join(' ')
        const words = text.match(/[\p{L}]{2,}/gu) ?? []
        const signs = new Set(['File', 'Line'])
        expect(words.filter(word => !signs.has(word) && !shown.includes(word))).toEqual([])
      }),
    )
  })
})

describe('the sections of a card', () => {
  const kinds = (...given: Parameters<typeof sectionsOf>) => sectionsOf(...given).map(({ kind }) => kind)

  it('[W2] depend on the kind of tool', () => {
    expect(kinds(call('Bash', { command: 'ls', description: 'List' }, 'a'), 'run', null)).toEqual([
      'terminal',
      'facts',
    ])
    expect(kinds(call('Read', { file_path: '/w/a' }, '1\tx'), 'read', null)).toEqual(['file'])
    expect(kinds(call('TodoWrite', { todos: [{ content: 'x', status: 'done' }] }), 'todo', null)).toEqual([
      'todos',
    ])
    expect(kinds(call('ExitPlanMode', { plan: '# P' }, 'ok'), 'plan', null)).toEqual(['markdown', 'markdown'])
    expect(
      kinds(call('mcp__a__b', { deep: { x: 1 } }, [{ type: 'text', text: '{"y":2}' }]), 'other', null),
    ).toEqual(['data', 'data'])
  })

  it('[W2] separate the output and the errors of a command where both are known', () => {
    const output = { content: 'out\nerr', structured: { stdout: 'out', stderr: 'err' } }
    expect(sectionsOf(call('Bash', { command: 'x' }, output), 'run', null)[0]).toMatchObject({
      output: 'out',
      errors: 'err',
    })
    const failed = { ...call('Bash', { command: 'x' }), error: 'Exit code 2\nboom' }
    expect(sectionsOf(failed, 'run', 2)).toEqual([
      { kind: 'terminal', command: 'x', output: 'boom', errors: '' },
    ])
    expect(sectionsOf({ ...failed, error: 'Declined.' }, 'run', null)[1]).toMatchObject({
      text: 'Declined.',
      bad: true,
    })
  })

  it('[W2] leave out what the card shows already', () => {
    const edit = { file_path: '/w/a', old_string: 'a', new_string: 'b' }
    expect(kinds(call('Edit', edit, 'The file was updated successfully.'), 'edit', null)).toEqual(['diff'])
    expect(kinds(call('Edit', edit, 'Updated successfully, 2 warnings.'), 'edit', null)).toEqual([
      'diff',
      'facts',
    ])
    const input = { title: 'a', kind: 'edit', locations: [{ path: '/w/a' }] }
    expect(kinds(call('write_file', input), 'edit', null)).toEqual(['diff'])
    expect(kinds(call('a_tool', { title: 'a', kind: 'x', state: 'open' }), 'other', null)).toEqual(['facts'])
    const noted = { command: 'ls', source: 'agent', commandActions: [{ type: 'unknown' }] }
    expect(kinds(call('commandExecution', noted, 'a'), 'run', 0)).toEqual(['terminal'])
  })

  it('[W2] show the answers to questions in every format', () => {
    const questions = [
      { id: 'q', header: 'C', question: 'Which?', options: [{ label: 'A', description: 'a' }, 'B'] },
    ]
    const answerOf = (output: ShownCall['output']) => {
      const [section] = sectionsOf(call('AskUserQuestion', { questions }, output), 'ask', null)
      return section?.kind === 'questions' ? section.questions[0]?.answer : undefined
    }
    expect(answerOf({ structured: { answers: { 'Which?': 'A' } } })).toBe('A')
    expect(answerOf({ metadata: { answers: [['A', 'B']] } })).toBe('A, B')
    expect(answerOf({ answers: { q: { answers: ['B'] } } })).toBe('B')
    expect(answerOf(undefined)).toBeNull()
  })

  it('[W2] show bitmap images, and no others', () => {
    const block = (type: string) => ({
      type: 'image',
      source: { type: 'base64', media_type: type, data: 'aGk=' },
    })
    expect(picturesIn([block('image/png')])).toEqual([
      { address: 'data:image/png;base64,aGk=', name: 'Image from the tool' },
    ])
    expect(picturesIn([block('image/svg+xml'), block('text/html')])).toEqual([])
    expect(picturesIn({ url: 'https://evil.example/a.png', mime: 'image/png' })).toEqual([])
    expect(picturesIn({ url: 'data:image/svg+xml;base64,aGk=' })).toEqual([])
  })

  it('[W2] accept any input and any output', () => {
    const families = [
      'read',
      'edit',
      'write',
      'search',
      'list',
      'run',
      'ask',
      'todo',
      'delegate',
      'other',
      'web-search',
    ] as const
    fc.assert(
      fc.property(fc.constantFrom(...families), fc.jsonValue(), fc.jsonValue(), (family, input, output) => {
        sectionsOf(call('Any', input as ShownCall['input'], output as ShownCall['output']), family, null)
      }),
    )
  })
})
