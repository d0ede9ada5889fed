import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Chunk, Thread, ThreadChunk } from '../../protocol/chunk.ts'
import type { ApprovalId, ConnectionId, PromptId } from '../../protocol/ids.ts'
import type { Json } from '../../protocol/json.ts'
import type { PromptPart } from '../../protocol/message.ts'
import { assertWellFormed } from '../../protocol/well-formed.ts'
import type { Answer, Connection, ConnectOptions, RawMessage } from '../agent.ts'
import { connect } from './connect.ts'
import { initial, translate } from './translate.ts'

/** A connected model, and all its lines. */
export interface Harness extends AsyncDisposable {
  readonly cwd: string
  readonly connection: Connection
  readonly lines: readonly RawMessage[]
  readonly chunks: readonly ThreadChunk[]
  /** Prompts and waits for the end of the answer; returns its chunks in the main thread. */
  prompt(prompt: string | readonly PromptPart[]): Promise<readonly Chunk[]>
  /** Prompts, and does not wait for the answer. */
  begin(prompt: string | readonly PromptPart[]): Promise<void>
  /** Resolves with a matching chunk, once it comes. */
  until<Type extends Chunk['type']>(
    type: Type,
    fits?: (chunk: Extract<Chunk, { type: Type }>, thread: Thread) => boolean,
  ): Promise<Extract<Chunk, { type: Type }>>
  answer(approval: string, answer: Partial<Answer>): Promise<void>
}

/** Connects a model in a new folder. */
export async function createHarness(options: Json, more: Partial<ConnectOptions> = {}): Promise<Harness> {
  const folder = await newFolder()
  const cwd = more.cwd ?? (await newFolder())
  const lines: RawMessage[] = []
  const chunks: ThreadChunk[] = []
  const watchers = new Set<() => void>()
  const closing = new AbortController()
  let state = initial('c' as ConnectionId)
  const take = (raw: RawMessage) => {
    lines.push(raw)
    const [next, made] = translate(state, raw)
    state = next
    chunks.push(...made)
    for (const look of watchers) look()
  }
  const connection = await connect({
    resume: null,
    dataFolder: folder,
    record: async ({ raw }) => take({ from: 'host', text: raw }),
    signal: closing.signal,
    ...more,
    cwd,
    options,
  })
  const listening = (async () => {
    for await (const { raw } of connection.messages) take({ from: 'agent', text: raw })
  })()
  let prompts = 0
  const wait = async <Found>(look: () => Found | undefined): Promise<Found> => {
    const { promise, resolve, reject } = Promise.withResolvers<Found>()
    const late = setTimeout(() => reject(new Error(`It never came. Said: ${tail(lines)}`)), 20_000)
    const check = () => {
      const found = look()
      if (found !== undefined) resolve(found)
    }
    watchers.add(check)
    check()
    return promise.finally(() => {
      clearTimeout(late)
      watchers.delete(check)
    })
  }
  const partsOf = (prompt: string | readonly PromptPart[]) =>
    typeof prompt === 'string' ? [{ type: 'text', text: prompt } as const] : prompt
  const harness: Harness = {
    cwd,
    connection,
    lines,
    chunks,
    async begin(prompt) {
      await connection.prompt(`p${(prompts += 1)}` as PromptId, partsOf(prompt))
    },
    async prompt(prompt) {
      const from = chunks.length
      await harness.begin(prompt)
      await wait(() =>
        chunks.slice(from).find(({ thread, chunk }) => thread === null && chunk.type === 'finish'),
      )
      return chunks.slice(from).flatMap(({ thread, chunk }) => (thread === null ? [chunk] : []))
    },
    until: (type, fits = () => true) =>
      wait(() => {
        const found = chunks.find(({ thread, chunk }) => chunk.type === type && fits(chunk as never, thread))
        return found?.chunk as never
      }),
    answer: (approval, answer) =>
      connection.answer(approval as ApprovalId, { approved: true, reason: null, always: false, ...answer }),
    async [Symbol.asyncDispose]() {
      await connection[Symbol.asyncDispose]()
      await listening
      assertWellFormed(chunks)
      assertReplays(lines, chunks)
    },
  }
  return harness
}

/** A replay of the lines gives the same chunks. */
function assertReplays(lines: readonly RawMessage[], chunks: readonly ThreadChunk[]): void {
  let state = initial('c' as ConnectionId)
  const again = lines.flatMap(line => {
    const [next, made] = translate(state, line)
    state = next
    return made
  })
  if (JSON.stringify(again) !== JSON.stringify(chunks)) throw new Error('A replay gave other chunks.')
}

const tail = (lines: readonly RawMessage[]) =>
  lines
    .slice(-8)
    .map(({ text }) => text.slice(0, 300))
    .join('\n')

/** A folder that is removed after the test. */
export async function newFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'dragoman-model-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** All text of one kind. */
export const textIn = (chunks: readonly Chunk[], type: 'text-delta' | 'reasoning-delta' = 'text-delta') =>
  chunks.map(chunk => (chunk.type === type && 'delta' in chunk ? chunk.delta : '')).join('')

/** How an answer ended. */
export const endOf = (chunks: readonly Chunk[]): Readonly<Record<string, Json | undefined>> => {
  const last = chunks.findLast(chunk => chunk.type === 'finish')
  return {
    reason: last?.messageMetadata?.['reason'],
    finishReason: last?.finishReason,
    ...last?.messageMetadata,
  }
}

/** The outputs and errors of calls, by call. */
export const outcomesOf = (chunks: readonly Chunk[]): Readonly<Record<string, Json>> =>
  Object.fromEntries(
    chunks.flatMap(chunk => {
      if (chunk.type === 'tool-output-available' && chunk.preliminary !== true)
        return [[chunk.toolCallId, chunk.output] as const]
      return chunk.type === 'tool-output-error'
        ? [[chunk.toolCallId, `error: ${chunk.errorText}`] as const]
        : []
    }),
  )
