import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Chunk, ThreadChunk } from '../../protocol/chunk.ts'
import type { ApprovalId, ConnectionId, PromptId } from '../../protocol/ids.ts'
import type { Json } from '../../protocol/json.ts'
import { openParts } from '../../protocol/open-parts.ts'
import { assertWellFormed } from '../../protocol/well-formed.ts'
import type { Answer, Connection, ConnectOptions } from '../agent.ts'
import { scripted } from './index.ts'

/** A folder that is deleted after the test. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dragoman-scripted-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Connects to the scripted agent, until the test is over. */
export async function connect(options: Json, more: Partial<ConnectOptions> = {}): Promise<Connection> {
  const connection = await scripted.connect({
    cwd: tmpdir(),
    resume: null,
    options,
    dataFolder: await newFolder(),
    record: () => Promise.resolve(),
    signal: AbortSignal.timeout(80_000),
    ...more,
  })
  onTestFinished(() => connection[Symbol.asyncDispose]())
  return connection
}

/** Prompts it. */
export const prompt = (connection: Connection, text: string) =>
  connection.prompt('p' as PromptId, [{ type: 'text', text }])

/** What a person does during an answer. */
export interface Reactions {
  readonly answer?: Partial<Answer>
  readonly onChunk?: (chunk: Chunk) => unknown
  /** How many answers to wait for. */
  readonly answers?: number
}

/** Follows a connection until it has answered or ended, and checks the stream. */
export async function follow(connection: Connection, { answer, onChunk, answers = 1 }: Reactions = {}) {
  const all: ThreadChunk[] = []
  let state = scripted.initial('c' as ConnectionId)
  let open = openParts.initial
  let left = answers
  for await (const { raw, rawFile } of connection.messages) {
    const [next, chunks] = scripted.translate(state, { from: 'agent', text: raw, cut: rawFile !== undefined })
    state = next
    all.push(...chunks)
    for (const each of chunks) open = openParts.apply(open, each)
    for (const { chunk } of chunks) {
      await onChunk?.(chunk)
      if (chunk.type === 'tool-approval-request')
        await connection.answer(chunk.approvalId as ApprovalId, {
          approved: true,
          reason: null,
          always: false,
          ...answer,
        })
    }
    left -= chunks.filter(({ thread, chunk }) => thread === null && chunk.type === 'finish').length
    if (left <= 0) break
  }
  assertWellFormed([...all, ...openParts.closeAll(open, { errorText: 'gone', reason: 'failed' })])
  return all.map(({ chunk }) => chunk)
}

/** Prompts a new agent, and returns the chunks of its answer. */
export async function ask(text: string, reactions: Reactions = {}, options: Json = { pace: 0 }) {
  const connection = await connect(options)
  await prompt(connection, text)
  return await follow(connection, reactions)
}

/** The text in some chunks. */
export const textOf = (chunks: readonly Chunk[]) =>
  chunks.map(chunk => (chunk.type === 'text-delta' ? chunk.delta : '')).join('')
