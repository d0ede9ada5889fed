import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { claudeCode } from '../../agents/claude-code/index.ts'
import { createMessages } from '../../projections/messages.ts'
import type { Entry } from '../../protocol/entry.ts'
import type { Json } from '../../protocol/json.ts'
import type { MessagePart } from '../../protocol/message.ts'
import { collect, openHouse } from '../house.fixture.ts'
import { compareTranslations } from '../view/compare-translations.ts'

const corpus = join(import.meta.dirname, '../../../../shared/corpus/claude-code')
const files = existsSync(corpus) ? readdirSync(corpus).filter(name => name.endsWith('.jsonl.gz')) : []
if (files.length === 0) console.warn(`SKIPPED: ${corpus} is not here, so no real transcript is imported.`)

type TranslatedLine = Readonly<Record<string, Json>>

/** A field that must be an object. */
function objectAt(words: TranslatedLine, field: string): TranslatedLine {
  const value = words[field]
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as TranslatedLine
  throw new Error(`${field} is no object.`)
}

/** A field that must be a string. */
function textAt(words: TranslatedLine, field: string): string {
  const value = words[field]
  if (typeof value === 'string') return value
  throw new Error(`${field} is no string.`)
}

/** A field that must be a number. An optional field that is missing is 0. */
function numberAt(words: TranslatedLine, field: string, missing?: 0): number {
  const value = words[field] ?? missing
  if (typeof value === 'number') return value
  throw new Error(`${field} is no number.`)
}

/** The blocks of a message. */
function blocksIn(message: TranslatedLine): readonly TranslatedLine[] {
  const { content } = message
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (Array.isArray(content)) return content as readonly TranslatedLine[]
  throw new Error('A message has no content.')
}

/** The content of a transcript, counted from its JSON alone. */
function count(lines: readonly TranslatedLine[]) {
  const texts: string[] = []
  const thinking: string[] = []
  const prompts: string[] = []
  const calls = new Map<string, string>()
  const results = new Map<string, unknown>()
  const usage = new Map<string, number>()
  const take = (line: TranslatedLine) => {
    const message = objectAt(line, 'message')
    // The placeholder of Claude Code for an answer that was cut off.
    if (message['model'] === '<synthetic>' && line['isApiErrorMessage'] !== true) return
    for (const block of blocksIn(message)) {
      const kind = block['type']
      if (kind === 'tool_use') calls.set(textAt(block, 'id'), JSON.stringify(block['input']))
      if (kind === 'tool_result') results.set(textAt(block, 'tool_use_id'), block['content'])
      if (kind === 'thinking') thinking.push(textAt(block, 'thinking'))
      if (kind === 'text') (line['type'] === 'user' ? prompts : texts).push(textAt(block, 'text'))
    }
    if (message['usage']) usage.set(textAt(message, 'id'), totalOf(objectAt(message, 'usage')))
  }
  for (const line of lines) {
    if (line['type'] === 'user' || line['type'] === 'assistant') take(line)
    if (line['type'] !== 'progress') continue
    const data = objectAt(line, 'data')
    if (data['type'] === 'agent_progress') take(objectAt(data, 'message'))
  }
  return { texts, thinking, prompts, calls, results, usage }
}

const totalOf = (used: TranslatedLine) =>
  numberAt(used, 'input_tokens') +
  numberAt(used, 'output_tokens') +
  numberAt(used, 'cache_read_input_tokens', 0) +
  numberAt(used, 'cache_creation_input_tokens', 0)

function partsOf(entries: readonly Entry[]) {
  const messages = createMessages()
  for (const entry of entries) messages.apply(entry)
  const all = [...messages.view().values()].flat().map(({ message }) => message)
  return { all, parts: all.flatMap(({ parts }) => parts) }
}

const sorted = (values: Iterable<string>) => [...values].toSorted()

async function importFile(file: string) {
  const house = await openHouse([claudeCode])
  const dataFolder = mkdtempSync(join(tmpdir(), 'import-'))
  const [found] = await collect(claudeCode.importer?.find(join(corpus, file)) ?? emptyFinds())
  const skipped: unknown[] = []
  if (found === undefined) throw new Error(`${file} is no transcript.`)
  const transcript = await found.read({ dataFolder, skip: line => skipped.push(line) })
  expect(skipped).toEqual([])
  const source = { agent: 'claude-code', file, transcript }
  return { house, source, imported: await house.sessions.import(source) }
}

async function* emptyFinds() {}

describe.runIf(files.length > 0)('[A15] the corpus', () => {
  it.each(files)('%s is imported completely, once, and translates to the same chunks again', async file => {
    const { house, source, imported } = await importFile(file)
    const lines = gunzipSync(readFileSync(join(corpus, file)))
      .toString()
      .split('\n')
      .filter(line => line !== '')
    expect(imported).toMatchObject({ outcome: 'new', lines: lines.length })
    const entries = await house.entries(imported.session)
    const spoken = entries.flatMap(({ event }) => ('raw' in event ? [event.raw] : []))
    expect(spoken.filter(raw => !raw.startsWith('{"dragoman"'))).toEqual(lines)

    const told = count(lines.map(line => JSON.parse(line) as TranslatedLine))
    const { all, parts } = partsOf(entries)
    const notices = parts.flatMap(part => (part.type === 'data-notice' ? [part.data.message] : []))
    expect(notices.filter(text => /<.?(bash-std|local-command-)/.test(text))).toEqual([])
    const shown = [...notices, ...all.map(({ metadata }) => JSON.stringify(metadata ?? null))].join('\n')
    const said = all.flatMap(({ role, parts: own }) => (role === 'assistant' ? own : []))
    const texts = said.flatMap(part => (part.type === 'text' ? [part.text] : []))
    const inErrors = told.texts.filter(text => !texts.includes(text))
    for (const text of inErrors) expect(shown).toContain(JSON.stringify(text).slice(1, -1))
    expect(sorted(texts)).toEqual(sorted(told.texts.filter(text => texts.includes(text))))
    const thoughts = said.flatMap(part => (part.type === 'reasoning' ? [part.text] : []))
    expect(sorted(thoughts)).toEqual(sorted(told.thinking))
    checkCalls(said, told)
    checkPrompts(all, shown, told)
    const used = parts.flatMap(part => (part.type === 'data-usage' ? [Object.values(part.data.tokens)] : []))
    const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, each) => total + each, 0)
    expect(sum(used.flat())).toBe(sum(told.usage.values()))

    expect(
      await collect(
        compareTranslations({ ...house, agents: new Map([['claude-code', claudeCode]]) }, imported.session),
      ),
    ).toEqual([])
    expect(await house.sessions.import(source)).toMatchObject({ outcome: 'unchanged', lines: 0 })
    expect(await house.entries(imported.session)).toEqual(entries)
  })
})

function checkCalls(said: readonly MessagePart[], told: ReturnType<typeof count>): void {
  const calls = new Map(said.flatMap(part => (part.type === 'dynamic-tool' ? [[part.toolCallId, part]] : [])))
  for (const [id, input] of told.calls) expect(JSON.stringify(calls.get(id)?.input)).toBe(input)
  for (const [id, content] of told.results) {
    const part = calls.get(id)
    const output =
      part?.state === 'output-error'
        ? part.errorText
        : part?.state === 'output-available'
          ? part.output
          : null
    const whole = JSON.stringify(output)
    const isIn =
      whole.includes(JSON.stringify(content)) || whole.includes(JSON.stringify(content).slice(1, -1))
    expect(isIn || JSON.stringify(content).includes(whole.slice(1, -1)), `result of ${id}`).toBe(true)
  }
  const open = [...told.calls.keys()].filter(id => !told.results.has(id))
  for (const id of open) expect(calls.get(id)?.state).toBe('output-error')
}

function checkPrompts(
  all: readonly { readonly role: string; readonly parts: readonly MessagePart[] }[],
  shown: string,
  told: ReturnType<typeof count>,
): void {
  const asked = all.flatMap(({ role, parts }) => (role === 'user' ? parts : []))
  const words = asked.flatMap(part => (part.type === 'text' ? [part.text] : []))
  const inputs = all
    .flatMap(({ parts }) => parts)
    .map(part => (part.type === 'dynamic-tool' ? part.input : null))
  const tasks = new Set(inputs.map(input => (input as TranslatedLine | null)?.['prompt']))
  for (const text of told.prompts) {
    const inside = text
      .replaceAll(/<\/?[a-z-]+>/g, '\n')
      .split('\n')
      .map(each => each.trim())
    const isThere =
      words.includes(text) ||
      tasks.has(text) ||
      text.startsWith('[Request interrupted') ||
      text.startsWith('<local-command-caveat>') ||
      shown.includes(text.trim()) ||
      inside.every(each => shown.includes(each) || words.some(word => word.includes(each.replace(/^\//, ''))))
    expect(isThere, text.slice(0, 200)).toBe(true)
  }
}
