import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Json } from '../protocol/json.ts'
import { assertWellFormed } from '../protocol/well-formed.ts'
import { loadAgents } from './index.ts'
import { partsOf, stored, translateLines } from './kit/lossless.fixture.ts'

const agents = await loadAgents()

type Line = Readonly<Record<string, Json>>

/** The recordings in the agents' folders, and all other recordings if they are available. */
const foldersOf = (agent: string) => [
  join(import.meta.dirname, agent, 'recordings'),
  join(import.meta.dirname, '../../../shared/recordings', agent),
]
const filesOf = (agent: string) =>
  foldersOf(agent)
    .filter(folder => existsSync(folder))
    .flatMap(folder => readdirSync(folder).map(name => join(folder, name)))
    .filter(name => name.endsWith('.jsonl') && !/\.(http|server-events)\.jsonl$/.test(name))

function unknownsIn(agent: string, lines: readonly string[]) {
  const one = agents.find(({ name }) => name === agent)
  if (one === undefined) throw new Error(`There is no ${agent}.`)
  const raws = lines.flatMap(line => (one.readRecorded ? (one.readRecorded(line) ?? []) : line))
  const chunks = translateLines(one, raws)
  assertWellFormed(chunks)
  return partsOf({ messages: stored(chunks) }, 'data-unknown').map(({ data }) => data)
}

const linesOf = (file: string) => readFileSync(file, 'utf8').split('\n').filter(Boolean)

/** A recording with one more field in every object that has a certain field with a certain value. */
function withField(file: string, isMeant: (each: Line) => boolean): readonly string[] {
  return linesOf(file).map(line =>
    JSON.stringify(
      JSON.parse(line, (_, value: Json) => {
        const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
        return isObject && isMeant(value as Line) ? { ...(value as Line), newField: 'NEWWORDS' } : value
      }),
    ),
  )
}

const has =
  (field: string, value: Json) =>
  (each: Line): boolean =>
    each[field] === value

const places: readonly (readonly [
  agent: string,
  file: string,
  kind: string,
  isMeant: (each: Line) => boolean,
])[] = [
  ['claude-code', 'tool-read', 'assistant', has('type', 'assistant')],
  ['claude-code', 'tool-read', 'message', has('role', 'assistant')],
  ['claude-code', 'tool-read', 'block text', has('type', 'text')],
  ['claude-code', 'tool-read', 'block tool_use', has('type', 'tool_use')],
  ['claude-code', 'tool-read', 'block tool_result', has('type', 'tool_result')],
  ['claude-code', 'tool-read', 'delta text_delta', has('type', 'text_delta')],
  ['claude-code', 'tool-read', 'result', has('type', 'result')],
  ['codex', 'shell-ok', 'item commandExecution', has('type', 'commandExecution')],
  ['codex', 'shell-ok', 'turn/started', has('method', 'turn/started')],
  ['opencode', 'tool-bash-ok', 'part tool', has('type', 'tool')],
  ['opencode', 'tool-bash-ok', 'state completed', has('status', 'completed')],
  ['opencode', 'tool-bash-ok', 'message assistant', has('role', 'assistant')],
  ['acp', 'qwen-code-shell-allow', 'update tool_call', has('sessionUpdate', 'tool_call')],
  ['acp', 'qwen-code-two-prompts', 'content text', has('type', 'text')],
  ['acp', 'qwen-code-two-prompts', 'result prompt', has('stopReason', 'end_turn')],
  ['gemini-cli', 'stream-json-tool-read', 'tool_use', has('type', 'tool_use')],
  ['gemini-cli', 'stream-json-tool-read', 'result', has('type', 'result')],
  ['gemini-cli', 'acp-tool-read', 'update tool_call', has('sessionUpdate', 'tool_call')],
  ['gemini-cli', 'chat-tools', 'chat gemini', has('type', 'gemini')],
]

describe('unknown fields', () => {
  it.each(places)('[A3] %s, %s: a new field in %s is shown once', (agent, file, kind, isMeant) => {
    const path = filesOf(agent).find(each => each.endsWith(`/${file}.jsonl`)) ?? file
    const found = unknownsIn(agent, withField(path, isMeant)).filter(each => each.kind.startsWith('field '))
    expect(found).toContainEqual({ agent, kind: `field ${kind}.newField`, native: 'NEWWORDS' })
    expect(new Set(found.map(each => each.kind)).size).toBe(found.length)
  })

  it.each(['claude-code', 'codex', 'opencode', 'acp', 'gemini-cli'])(
    '[A3] no recording of %s has unknown fields',
    agent => {
      for (const file of filesOf(agent)) {
        const found = unknownsIn(agent, linesOf(file)).filter(({ kind }) => kind.startsWith('field '))
        expect(found, file).toEqual([])
      }
    },
  )
})
