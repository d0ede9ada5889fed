import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../protocol/json.ts'
import type { RawMessage } from '../agent.ts'
import {
  asJson,
  foldedBySdk,
  leavesOf,
  partsOf,
  stored,
  translateLines,
  type Recorded,
} from '../kit/lossless.fixture.ts'
import { claudeCode } from './index.ts'
import { blocksOf, numberOf, textOf, fieldsOf, type Block, type Fields } from './messages.ts'
import { rawOnly } from './raw-only.fixture.ts'
import { readRecorded } from './recorded.ts'

const folder = join(import.meta.dirname, 'recordings')
/** Where Claude Code has lost its session there is no answer: the prompt is sent again and this is reported. */
const lost = 'resume-unknown.jsonl'
const files = readdirSync(folder).filter(name => name.endsWith('.jsonl') && name !== lost)

function read(file: string): Recorded {
  const raws: readonly RawMessage[] = readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(readRecorded)
  const chunks = translateLines(claudeCode, raws)
  const native = raws.filter(({ from }) => from === 'agent').map(({ text }) => JSON.parse(text) as Fields)
  return { native, chunks, messages: stored(chunks) }
}

const recordings = new Map(files.map(file => [file, read(file)]))
const recorded = (file: string): Recorded => recordings.get(file) ?? read(file)

/** The leaves of a message; a path begins with its kind. */
function pathsOf(fields: Fields) {
  const kind = [textOf(fields['type']), textOf(fields['subtype'])].filter(Boolean).join('/')
  return leavesOf(fields).map(({ path, value }) => ({ path: `${kind} ${path}`, value }))
}

const textsIn = (value: unknown) =>
  leavesOf(value as Json)
    .map(leaf => leaf.value)
    .join('\u0000')

describe('claude-code loses nothing', () => {
  it.each(files)('[P5] %s: every text is in the messages, or is raw-only for a reason', file => {
    const { native, messages, chunks } = recorded(file)
    const [kept, streamed] = [textsIn(messages), textsIn(chunks)]
    const missing = native
      .flatMap(pathsOf)
      .filter(({ path }) => !rawOnly.some(([pattern]) => pattern.test(path)))
      // Streamed and retracted text is not stored, but it was emitted.
      .filter(({ path, value }) => !(path.includes(' event.delta.') ? streamed : kept).includes(value.trim()))
    expect(missing).toEqual([])
  })

  it('[P5] every reason is still needed', () => {
    const paths = [...recordings.values()].flatMap(({ native }) => native.flatMap(pathsOf))
    for (const [pattern] of rawOnly) expect(paths.some(({ path }) => pattern.test(path))).toBe(true)
  })

  it.each(files)('[P5] %s: no text is shown twice, and none is missing', file => {
    const blocks = recorded(file).native.flatMap(wholeBlocks)
    const texts = blocks.flatMap(block => (block.type === 'text' && block.text !== '' ? [block.text] : []))
    const thoughts = blocks.flatMap(block => (block.type === 'thinking' ? [block.text] : []))
    const shown = partsOf(recorded(file), 'text').filter(({ text }) => !isCutOff(file, text))
    expect(shown.map(({ text }) => text).toSorted()).toEqual(texts.toSorted())
    const thought = partsOf(recorded(file), 'reasoning').map(({ text }) => text)
    expect(thought.toSorted()).toEqual(thoughts.toSorted())
  })

  it.each(files)('[P3] %s: every call appears once, with its name, its input and its result', file => {
    const { native } = recorded(file)
    const parts = partsOf(recorded(file), 'dynamic-tool')
    const calls = native.flatMap(wholeBlocks).filter(block => block.type === 'call')
    expect(parts.map(({ toolCallId }) => toolCallId).toSorted()).toEqual(
      calls.map(({ call }) => call).toSorted(),
    )
    for (const { call, tool, input } of calls) {
      const part = parts.find(({ toolCallId }) => toolCallId === call)
      expect(part?.toolName).toBe(tool)
      if (!file.startsWith('permission-allow-updated-input'))
        expect(part?.input).toMatchObject(input as object)
    }
    for (const { result, twin } of native.flatMap(resultsIn)) {
      const part = parts.find(({ toolCallId }) => toolCallId === result.call)
      expect(part?.state).toBe(result.failed ? 'output-error' : 'output-available')
      const seen = result.failed ? result.content : [result.content, typeof twin === 'string' ? null : twin]
      for (const { value } of leavesOf(seen)) expect(textsIn(part)).toContain(value)
    }
  })

  it.each(files)('[P7] %s: the usage of every result is in its message', file => {
    const { native, messages } = recorded(file)
    const main = messages.filter(({ thread }) => thread === null).map(({ message }) => message)
    const results = native.filter(({ type }) => type === 'result')
    const ended = main.filter(({ metadata }) => metadata?.['claude-code'] !== undefined)
    expect(ended.length).toBe(results.length)
    for (const [at, result] of results.entries()) {
      const metadata = ended[at]?.metadata ?? {}
      expect(metadata).toMatchObject({ duration: result['duration_ms'] })
      const facts = Object.entries(fieldsOf(metadata['claude-code']) ?? {})
      for (const [name, value] of facts) expect(value).toEqual(result[name])
      for (const name of ['usage', 'total_cost_usd', 'model_usage_since_last_result'])
        if (result[name] !== undefined) expect(facts.map(([each]) => each)).toContain(name)
    }
  })

  it.each(files)('[P7] %s: the costs of the messages add up to the cost of the session', file => {
    const results = recorded(file).native.filter(({ type }) => type === 'result')
    const costs = partsOf(recorded(file), 'data-usage').map(({ data }) => data.cost ?? 0)
    const total = numberOf(results.at(-1)?.['total_cost_usd']) ?? 0
    const before = file.includes('.2-') ? costBefore(file) : 0
    expect(costs.reduce((sum, cost) => sum + cost, before)).toBeCloseTo(total, 9)
  })

  it.each(files)('[P9] %s: the agent’s own session id is reported', file => {
    const { native } = recorded(file)
    const seen = native.find(({ subtype }) => subtype === 'init')?.['session_id']
    const shown = partsOf(recorded(file), 'data-session').map(({ data }) => data.agentSession)
    expect(shown.at(-1)).toBe(seen)
  })

  it.each(files)('[P6] %s: the stored messages equal what the AI SDK folds', async file => {
    const kept = recorded(file).messages.map(({ message }) => asJson(message))
    const folded = await foldedBySdk(recorded(file))
    expect(kept.toSorted(byId)).toEqual(folded.toSorted(byId))
  })
})

const byId = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)

/** The blocks of a whole message of the model; errors in the form of such a message are not its text. */
function wholeBlocks(fields: Fields): readonly Block[] {
  if (fields['type'] !== 'assistant' || fields['is_api_error_message'] === true) return []
  return blocksOf(fieldsOf(fields['message'])?.['content'])
}

function resultsIn(fields: Fields) {
  if (fields['type'] !== 'user') return []
  return blocksOf(fieldsOf(fields['message'])?.['content']).flatMap(block =>
    block.type === 'result' ? [{ result: block, twin: fields['tool_use_result'] ?? null }] : [],
  )
}

/** Recordings that end in the middle of a text, which no whole message repeats. */
function isCutOff(file: string, text: string): boolean {
  const { native } = recorded(file)
  const isWhole = native.some(fields =>
    wholeBlocks(fields).some(block => block.type === 'text' && block.text === text),
  )
  return !isWhole && native.every(({ type }) => type !== 'result')
}

/** The cost of a session continues in the process that resumes it, and in a fork. */
function costBefore(file: string): number {
  const first = file.replace(/\.2-\w+/, '.1-first')
  const result = recorded(first).native.findLast(({ type }) => type === 'result')
  return textOf(result?.['type']) === null ? 0 : (numberOf(result?.['total_cost_usd']) ?? 0)
}
