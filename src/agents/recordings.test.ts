import { createReadStream, existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readUIMessageStream, uiMessageChunkSchema, type UIMessageChunk } from 'ai'
import { readUIMessageStream as readBySix, uiMessageChunkSchema as schemaOfSix } from 'ai6'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Chunk, ThreadChunk } from '../protocol/chunk.ts'
import type { Raw } from '../protocol/event.ts'
import { expectEqual } from '../protocol/expect-equal.fixture.ts'
import type { ConnectionId } from '../protocol/ids.ts'
import { openParts } from '../protocol/open-parts.ts'
import { assertWellFormed } from '../protocol/well-formed.ts'
import type { Agent, RawMessage } from './agent.ts'
import { loadAgents } from './index.ts'
import { readLines } from './kit/line-reader.ts'

const agents = await loadAgents()

async function readRecording(agent: Agent, path: string): Promise<readonly RawMessage[]> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'dragoman-recording-'))
  onTestFinished(() => rm(dataFolder, { recursive: true, force: true }))
  const raws: Raw[] = []
  for await (const raw of readLines(createReadStream(path), { dataFolder })) raws.push(raw)
  const lines = raws.map(({ raw, rawFile }) =>
    agent.readRecorded && rawFile === undefined
      ? agent.readRecorded(raw)
      : ({ from: 'agent', text: raw, cut: rawFile !== undefined } as const),
  )
  return lines.filter(each => each !== null)
}

/** Translates a recording, and closes open parts. */
function translateAll(agent: Agent, raws: readonly RawMessage[]): readonly ThreadChunk[] {
  let state = agent.initial('recording' as ConnectionId)
  let open = openParts.initial
  const all = raws.flatMap(raw => {
    const [next, chunks] = agent.translate(state, raw)
    state = next
    open = chunks.reduce(openParts.apply, open)
    return chunks
  })
  return [...all, ...openParts.closeAll(open, { errorText: 'The agent ended.', reason: 'interrupted' })]
}

/** The chunks of each message, together even if it was reopened. */
function messagesOf(chunks: readonly ThreadChunk[]): readonly (readonly Chunk[])[] {
  const current = new Map<string | null, string>()
  const messages = new Map<string, Chunk[]>()
  for (const { thread, chunk } of chunks) {
    if (chunk.type === 'start') current.set(thread, chunk.messageId)
    const id = current.get(thread) ?? ''
    messages.set(id, [...(messages.get(id) ?? []), chunk])
  }
  return [...messages.values()]
}

function streamOf(chunks: readonly Chunk[]): ReadableStream<UIMessageChunk> {
  // An error normally ends the reading, but the test reads everything.
  const readable = chunks.filter(({ type }) => type !== 'error')
  return new ReadableStream({
    start(controller) {
      for (const chunk of readable) controller.enqueue(chunk)
      controller.close()
    },
  })
}

async function lastOf<Item>(items: AsyncIterable<Item>): Promise<Item | undefined> {
  let last: Item | undefined
  for await (const item of items) last = item
  return last
}

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return
  Object.freeze(value)
  if (value instanceof Map || value instanceof Set) for (const each of value.entries()) freeze(each)
  else for (const each of Object.values(value)) freeze(each)
}

describe.each(agents)('$name', agent => {
  const folder = fileURLToPath(new URL(`./${agent.name}/recordings/`, import.meta.url))
  const files = existsSync(folder) ? readdirSync(folder).filter(name => name.endsWith('.jsonl')) : []

  it('[A1] has recordings', () => {
    expect(files.length).toBeGreaterThan(0)
  })

  it.each(files)('[P1] %s: AI SDK 6 and 7 know every chunk', async file => {
    const chunks = translateAll(agent, await readRecording(agent, join(folder, file)))
    for (const { chunk } of chunks)
      for (const schema of [uiMessageChunkSchema(), schemaOfSix()])
        expect(await schema.validate?.(JSON.parse(JSON.stringify(chunk)))).toMatchObject({ success: true })
  })

  it.each(files)('[P1] %s: AI SDK 6 and 7 read every message', async file => {
    const chunks = translateAll(agent, await readRecording(agent, join(folder, file)))
    for (const message of messagesOf(chunks)) {
      const bySeven = await lastOf(readUIMessageStream({ stream: streamOf(message), terminateOnError: true }))
      const stream = streamOf(message) as Parameters<typeof readBySix>[0]['stream']
      const bySix = await lastOf(readBySix({ stream, terminateOnError: true }))
      expect(bySeven?.id).toBeTypeOf('string')
      expect(bySix?.parts.length).toBe(bySeven?.parts.length)
    }
  })

  it.each(files)('[P2] %s: the stream is well formed', async file => {
    assertWellFormed(translateAll(agent, await readRecording(agent, join(folder, file))))
  })

  it.each(files)(
    '[A2] %s: a second translation gives the same chunks, and no state is changed',
    async file => {
      const raws = await readRecording(agent, join(folder, file))
      expectEqual(translateAll(agent, raws), translateAll(agent, raws))
      let state = agent.initial('recording' as ConnectionId)
      for (const raw of raws) {
        freeze(state)
        const before = structuredClone(state)
        const [next] = agent.translate(state, raw)
        expectEqual(state, before)
        state = next
      }
    },
  )
})
