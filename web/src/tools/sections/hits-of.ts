import type { Hit, HitGroup } from './section.ts'

interface Reading {
  readonly groups: { path: string | null; hits: Hit[] }[]
}

type Rule = readonly [pattern: RegExp, take: (reading: Reading, found: readonly string[]) => void]

/** Adds a hit to a file; null: to the one before, whatever it is. */
function add({ groups }: Reading, path: string | null | undefined, hit?: Hit): void {
  const last = groups.at(-1)
  const isSame = last !== undefined && (path === undefined || last.path === path)
  const group = isSame ? last : { path: path ?? null, hits: [] }
  if (!isSame) groups.push(group)
  if (hit !== undefined) group.hits.push(hit)
}

const near = (line: string, text: string): Hit => ({ line: Number(line), text, near: true })
const hit = (line: string, text: string): Hit => ({ line: Number(line), text })

/** How the searches of agents write a line, the most telling first. */
const rules: readonly Rule[] = [
  // Gemini CLI and OpenCode name the file once, then its lines.
  [/^File: (.+)$/, (reading, [, path = '']) => add(reading, path)],
  [
    /^(?:L|\s+Line )(\d+): ?(.*)$/,
    (reading, [, line = '', text = '']) => add(reading, undefined, hit(line, text)),
  ],
  [/^(\/[^:]+|\S+\.\w+):$/, (reading, [, path = '']) => add(reading, path)],
  // grep and ripgrep, with files and without.
  [
    /^((?:[A-Za-z]:)?[^:\s][^:]*):(\d+):(.*)$/,
    (reading, [, path = '', line = '', text = '']) => add(reading, path, hit(line, text)),
  ],
  [/^(\d+):(.*)$/, (reading, [, line = '', text = '']) => add(reading, undefined, hit(line, text))],
  [/^(\d+)-(.*)$/, (reading, [, line = '', text = '']) => add(reading, undefined, near(line, text))],
  [
    /^([^:\s][^:]*?\.\w+)-(\d+)-([^]*)/,
    (reading, [, path = '', line = '', text = '']) => add(reading, path, near(line, text)),
  ],
  [/^--(?:-)?$/, () => {}],
]

/** Search results by file. `path`: the searched file, where there was only one. No text is lost. */
export function hitsOf(text: string, path: string | null = null): readonly HitGroup[] {
  const reading: Reading = { groups: path === null ? [] : [{ path, hits: [] }] }
  for (const line of text.replaceAll('\r\n', '\n').split('\n')) {
    if (line.trim() === '') continue
    const rule = rules.find(([pattern]) => pattern.test(line))
    if (rule === undefined) add(reading, null, { line: null, text: line })
    else rule[1](reading, rule[0].exec(line) ?? [])
  }
  return reading.groups.filter(group => group.hits.length > 0 || group.path !== path)
}

/** Lines that each name a file. */
export const filesOf = (text: string): readonly HitGroup[] =>
  text
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => (/^(?:\/|[\w@.-]+\/|(?:[\w@-]*\.)?[\w@-]+\.\w+$)/.test(line) ? file(line) : plain(line)))

const file = (path: string): HitGroup => ({ path, hits: [] })
const plain = (text: string): HitGroup => ({ path: null, hits: [{ line: null, text }] })
