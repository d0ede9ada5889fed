import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { describe, expect, it } from 'vitest'

/** Folders whose strings and JSX texts are checked. */
const roots = ['src', 'web/src']

/**
 * Documents whose prose is checked. Pages in `docs/decisions` are dated records and stay as they were written;
 * `docs/benchmarks.md` is written by the benches.
 */
const documents = ['*.md', 'docs/!(benchmarks).md', 'proxies/python/README.md']

/** Phrases that make a reader stop, each with what to write instead. */
const forbidden: readonly (readonly [RegExp, string])[] = [
  [/(?<!there )\b(?:is|are|was|were) no (?!longer|more than|less than)/i, '"is not a valid …"'],
  [/\bwho(?:m)?ever\b/i, 'name the person or program'],
  [/\bwhat counts\b/i, 'name the thing'],
  [/\b(?:no|some)body\b/i, 'name the person or program, or use the passive'],
  [/\bof its own\b/i, '"its own …", "separate" or "custom"'],
  [/\btold\b/i, '"reported", "sent" or "asked"'],
  [/\b(?:is|was|were) said\b/i, '"message", "text" or "sent"'],
  [/\bc(?:a|o)mes? over\b/i, '"merged" or "imported"'],
  [/\bt(?:ake|akes|aken|ook) back\b/i, '"undo", "cancel", "revoke" or "retract"'],
  [/\bstands? for\b/i, '"means" or "replaces"'],
  [/\bis not known\b/i, '"is unknown" or "Couldn\'t load …"'],
  [/\bwill do\./i, '"is enough"'],
]

/** Texts that keep a forbidden phrase, each with the reason. */
const allowed: readonly (readonly [file: string, text: string, reason: string])[] = [
  [
    'src/agents/kit/parse-json.ts',
    'The agent wrote a line that is no JSON',
    'Recordings have this text in chunks.',
  ],
  [
    'src/agents/claude-code/control.ts',
    'asked for a form to be filled in, and was told no',
    'Recordings have this text in chunks.',
  ],
  ['src/agents/opencode/history-plugin.ts', 'const told = new Map()', 'This is the source code of a plugin.'],
]

/** The status words that a person may see; a remark in brackets may follow. */
const statuses = /^(?:Running|Waiting for approval|Queued|Done|Stopped|Failed|Imported|Archived)(?: \(.*\))?$/

/** The states of sessions, interactions and subagents in JSON, which tables of status words are keyed by. */
const states = new Set(
  'idle running waiting failed finished interrupted completed stopped queued archived imported'.split(' '),
)

/** A text that a person may read, and its place. */
interface Text {
  readonly file: string
  readonly line: number
  readonly text: string
}

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const lineAt = (source: string, offset: number) => source.slice(0, offset).split('\n').length

const sourceFiles = globSync(
  [...roots, 'e2e', 'bench'].map(folder => `${folder}/**/*.{ts,tsx}`),
  { cwd: root, exclude: ['**/recordings', 'e2e/agents/clis'] },
)
const codeFiles = sourceFiles.filter(
  file =>
    roots.some(folder => file.startsWith(`${folder}/`)) &&
    !/\.(test|fixture|contract|arbitrary)\.tsx?$|\.d\.ts$/.test(file),
)

/** Statements for the database are for no reader. */
const isSql = (text: string) =>
  /\b(?:select|insert into|update|create|alter|delete from)\b[^.]*[?=(;]/.test(text)

/** String literals, templates (with "…" for what is put in) and JSX texts of a file, and its tables of status words. */
function textsIn(file: string, source: string): { readonly texts: Text[]; readonly shown: Text[] } {
  const texts: Text[] = []
  const shown: Text[] = []
  const add = (start: number, text: string) => {
    if (text.includes(' ') && !isSql(text)) texts.push({ file, line: lineAt(source, start), text })
  }
  new Visitor({
    Literal({ start, value }) {
      if (typeof value === 'string') add(start, value)
    },
    TemplateLiteral({ start, quasis }) {
      add(start, quasis.map(({ value }) => value.cooked ?? '').join('…'))
    },
    JSXText({ start, value }) {
      add(start, value)
    },
    ObjectExpression({ properties }) {
      const pairs = properties.flatMap(each =>
        each.type === 'Property' && each.key.type === 'Identifier' && each.value.type === 'Literal'
          ? [{ key: each.key.name, start: each.value.start, text: each.value.value }]
          : [],
      )
      if (pairs.length < 3 || !pairs.every(({ key }) => states.has(key))) return
      for (const { start, text } of pairs)
        if (typeof text === 'string' && /^[A-Z][^.]*$/.test(text))
          shown.push({ file, line: lineAt(source, start), text })
    },
  }).visit(parseSync(file, source).program)
  return { texts, shown }
}

/** The comments and the names of tests of a file. Engineers read them. */
function notesIn(file: string, source: string): readonly Text[] {
  const { program, comments } = parseSync(file, source)
  const notes = comments.map(({ start, value }) => ({ file, line: lineAt(source, start), text: value }))
  new Visitor({
    CallExpression({ callee, arguments: [name] }) {
      if (!/^(?:it|test|describe)\b/.test(source.slice(callee.start, callee.end))) return
      if (name?.type === 'Literal' && typeof name.value === 'string')
        notes.push({ file, line: lineAt(source, name.start), text: name.value })
      if (name?.type === 'TemplateLiteral')
        notes.push({
          file,
          line: lineAt(source, name.start),
          text: name.quasis.map(({ value }) => value.cooked ?? '').join('…'),
        })
    },
  }).visit(program)
  return notes
}

/** The lines of a document outside of code. */
function linesOf(file: string): readonly Text[] {
  const prose = read(file).replaceAll(/```[^]*?```|`[^`\n]*`/g, code => code.replaceAll(/[^\n]/g, ''))
  return prose.split('\n').map((text, index) => ({ file, line: index + 1, text }))
}

const isAllowed = ({ file, text }: Text) =>
  allowed.some(([where, what]) => where === file && text.includes(what))

const complaints = (texts: readonly Text[]) =>
  texts
    .filter(text => !isAllowed(text))
    .flatMap(({ file, line, text }) =>
      forbidden.flatMap(([phrase, better]) => {
        const found = phrase.exec(text)
        return found === null ? [] : [`${file}:${line}: "${found[0]}" in "${text.trim()}": write ${better}`]
      }),
    )

describe('plain English, as docs/voice.md asks for', () => {
  const code = codeFiles.map(file => textsIn(file, read(file)))

  it('[V1] no string or JSX text has a forbidden phrase', () => {
    expect(code.flatMap(({ texts }) => texts).length).toBeGreaterThan(2000)
    expect(complaints(code.flatMap(({ texts }) => texts))).toEqual([])
  })

  it('[V1] no document has a forbidden phrase', () => {
    const files = documents.flatMap(pattern => globSync(pattern, { cwd: root }))
    expect(files).toContain('README.md')
    expect(complaints(files.flatMap(linesOf))).toEqual([])
  })

  it('[V1] no comment and no test name has a forbidden phrase', () => {
    const notes = sourceFiles.flatMap(file => notesIn(file, read(file)))
    expect(notes.length).toBeGreaterThan(8000)
    expect(complaints(notes)).toEqual([])
  })

  it('[V1] status words come from one set', () => {
    const shown = code.flatMap(each => each.shown)
    expect(shown.length).toBeGreaterThan(5)
    expect(shown.filter(({ text }) => !statuses.test(text))).toEqual([])
  })

  it('[V1] every exception is still needed', () => {
    const all = code.flatMap(({ texts }) => texts)
    const unused = allowed.filter(
      ([where, what]) => !all.some(({ file, text }) => file === where && text.includes(what)),
    )
    expect(unused).toEqual([])
  })

  it.each([
    ["const a = 'That is no token.'", 1],
    ["const a = 'There is no session x. It is no longer there.'", 0],
    ['const a = `Nobody ${name} it`', 1],
    ['const a = <p>It was taken back</p>', 1],
    ['// nobody reads this', 0],
  ])('[V1] %s has %i forbidden phrases', (source, count) => {
    expect(complaints(textsIn('a.tsx', source).texts)).toHaveLength(count)
  })

  it('[V1] a table of states may only have words of the set', () => {
    const source = "const a = { idle: 'Done', running: 'At work', failed: 'Failed (last known)' }"
    expect(textsIn('a.ts', source).shown.filter(({ text }) => !statuses.test(text))).toEqual([
      { file: 'a.ts', line: 1, text: 'At work' },
    ])
  })
})
