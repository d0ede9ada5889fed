import { createReadStream, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ToolPart } from 'dragoman'

import type { ThreadChunk } from '../../../src/protocol/chunk.ts'
import { journal, said } from '../../../src/projections/journal.fixture.ts'
import { createToolCalls, type ToolCall } from '../../../src/projections/tool-calls.ts'

type Heard = { readonly from: 'agent'; readonly text: string; readonly cut: boolean }

/** An agent, as far as a recording needs it. */
export interface RecordedAgent {
  readonly name: string
  initial(connection: string): unknown
  translate(state: unknown, heard: Heard): readonly [state: unknown, chunks: readonly ThreadChunk[]]
  readRecorded?(raw: string): Heard | null
}

type Read = (
  file: unknown,
  options: { readonly dataFolder: string },
) => AsyncIterable<{ raw: string; rawFile?: unknown }>

/** This server code is outside the page's TypeScript project, so it is not imported by name. */
const ofServer = (path: string): Promise<unknown> =>
  import(/* @vite-ignore */ join(import.meta.dirname, '../../../src/agents', path))

const { loadAgents } = (await ofServer('index.ts')) as {
  readonly loadAgents: () => Promise<readonly RecordedAgent[]>
}

/** All agents, with their code. */
export const agents = await loadAgents()
const { readLines } = (await ofServer('kit/line-reader.ts')) as { readonly readLines: Read }

/** A tool call of a real agent, in each form that it had on its way. */
export interface RecordedCall {
  readonly agent: string
  readonly recording: string
  readonly parts: readonly ToolPart[]
}

/** The recordings of an agent that are in the project. */
export function recordingsOf({ name }: RecordedAgent): readonly string[] {
  const folder = folderOf(name)
  return existsSync(folder) ? readdirSync(folder).filter(file => file.endsWith('.jsonl')) : []
}

const folderOf = (agent: string) => join(import.meta.dirname, `../../../src/agents/${agent}/recordings`)

/** The tool calls in a recording. */
export async function readRecording(
  agent: RecordedAgent,
  recording: string,
): Promise<readonly RecordedCall[]> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'dragoman-tools-'))
  const calls = createToolCalls()
  const found = new Map<string, ToolPart[]>()
  let state = agent.initial('recording')
  let at = 0
  try {
    const file = createReadStream(join(folderOf(agent.name), recording))
    for await (const { raw, rawFile } of readLines(file, { dataFolder })) {
      const heard =
        agent.readRecorded && rawFile === undefined
          ? agent.readRecorded(raw)
          : ({ from: 'agent', text: raw, cut: rawFile !== undefined } as const)
      if (heard === null) continue
      const [next, chunks] = agent.translate(state, heard)
      state = next
      for (const entry of journal(...chunks.map(chunk => said(null, [chunk]))))
        calls.apply({ ...entry, seq: (at += 1), at })
      for (const call of calls.news())
        found.set(call.toolCallId, [...(found.get(call.toolCallId) ?? []), partOf(call)])
    }
  } finally {
    rmSync(dataFolder, { recursive: true, force: true })
  }
  return [...found.values()].map(parts => ({ agent: agent.name, recording, parts }))
}

function partOf({ toolCallId, tool: toolName, input, outcome, output, errorText }: ToolCall): ToolPart {
  const base = { type: 'dynamic-tool', toolCallId, toolName, input } as const
  if (errorText !== undefined) return { ...base, state: 'output-error', errorText }
  if (outcome === 'denied') return { ...base, state: 'output-denied', approval: { id: 'a', approved: false } }
  if (output === undefined) return { ...base, state: input === null ? 'input-streaming' : 'input-available' }
  return { ...base, state: 'output-available', output, ...(outcome === 'pending' && { preliminary: true }) }
}
