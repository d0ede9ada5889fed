import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { endsCall } from '../projections/call-end.ts'
import type { Chunk, ThreadChunk } from '../protocol/chunk.ts'
import type { ConnectionId } from '../protocol/ids.ts'
import { openParts, type OpenParts } from '../protocol/open-parts.ts'
import type { Agent, RawMessage } from './agent.ts'
import { loadAgents } from './index.ts'
import { readLong } from './kit/long-line.fixture.ts'

const agents = await loadAgents()

const names = ['claude-code', 'codex', 'opencode', 'gemini-cli', 'acp', 'scripted'] as const

function recordingsOf(agent: Agent): readonly (readonly RawMessage[])[] {
  const folder = join(import.meta.dirname, agent.name, 'recordings')
  const files = readdirSync(folder).filter(file => file.endsWith('.jsonl'))
  return files.map(file =>
    readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .filter(line => line !== '')
      .flatMap(text => agent.readRecorded?.(text) ?? { from: 'agent', text }),
  )
}

/** The chunks of each line. */
function translated(agent: Agent, raws: readonly RawMessage[]): readonly (readonly ThreadChunk[])[] {
  let state = agent.initial('recording' as ConnectionId)
  return raws.map(raw => {
    const [next, chunks] = agent.translate(state, raw)
    state = next
    return chunks
  })
}

/** The calls that end with some chunks. */
const endedIn = (chunks: readonly ThreadChunk[] = []) =>
  chunks.flatMap(({ chunk }) => (endsCall(chunk) ? [chunk.toolCallId] : []))

/** The calls that have an input and no result. */
const waitingIn = ({ messages }: OpenParts) =>
  messages.flatMap(({ calls }) => calls.flatMap(call => (call.streamed === null ? [call.toolCallId] : [])))

function agentNamed(name: string): Agent {
  const agent = agents.find(each => each.name === name)
  if (agent === undefined) throw new Error(`There is no ${name}.`)
  return agent
}

it.each(names)(
  '[R2] a call of %s does not wait for a result of which only the beginning could be read',
  name => {
    const agent = agentNamed(name)
    let looked = 0
    for (const raws of recordingsOf(agent)) {
      const lines = translated(agent, raws)
      const threads = new Set(lines.flat().map(({ thread }) => thread))
      let open = openParts.initial
      for (const [at, chunks] of lines.entries()) {
        const waiting = waitingIn(open).filter(call => !threads.has(call))
        open = chunks.reduce(openParts.apply, open)
        const line = raws[at]
        const ended = endedIn(chunks).filter(
          call => waiting.includes(call) && line?.text.includes(JSON.stringify(call)),
        )
        if (line === undefined || ended.length === 0) continue
        expect(
          endedIn(translated(agent, raws.with(at, { ...line, text: line.text.slice(0, -1), cut: true }))[at]),
        ).toEqual(expect.arrayContaining(ended))
        looked += ended.length
      }
    }
    expect(looked).toBeGreaterThan(20)
  },
)

/** The line as a translator gets it if it is longer than the limit. */
function asLong(line: RawMessage): Promise<RawMessage> {
  // The first field twice: JSON uses the second one, so the meaning of the line stays the same.
  const [name] = Object.keys(JSON.parse(line.text) as object)
  const text = `{"${name}":"${'x'.repeat(100_000)}",${line.text.slice(1)}${' '.repeat(100_000)}`
  return readLong(text, 50_000)
}

/** The important chunks of a line: the ends of answers and calls with their outcomes, and the approvals. */
const mattersOf = (chunks: readonly ThreadChunk[] = []) =>
  chunks.flatMap(({ chunk }): readonly (readonly [type: Chunk['type'], what: string | undefined])[] => {
    if (chunk.type === 'finish') return [[chunk.type, chunk.finishReason]]
    return chunk.type === 'tool-approval-request' || endsCall(chunk) ? [[chunk.type, chunk.toolCallId]] : []
  })

const mostOfAKind = 4

it.each(names)(
  '[A18] ends, results and approvals of %s are translated in lines of any length',
  async name => {
    const agent = agentNamed(name)
    const looked = new Map<string, number>()
    for (const raws of recordingsOf(agent)) {
      const lines = translated(agent, raws)
      for (const [at, chunks] of lines.entries()) {
        const matters = mattersOf(chunks)
        const line = raws[at]
        const kind = matters[0]?.[0]
        if (kind === undefined || !line?.text.startsWith('{"') || line.from === 'host') continue
        if ((looked.get(kind) ?? 0) >= mostOfAKind) continue
        looked.set(kind, (looked.get(kind) ?? 0) + 1)
        const long = await asLong(line)
        expect(long.cut).toBe(true)
        expect(mattersOf(translated(agent, raws.with(at, long))[at])).toEqual(matters)
      }
    }
    expect([...looked.keys()]).toEqual(expect.arrayContaining(['finish', 'tool-output-available']))
  },
)
