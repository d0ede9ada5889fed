import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { PromptId } from '../../protocol/ids.ts'
import type { Json } from '../../protocol/json.ts'
import type { PromptPart } from '../../protocol/message.ts'
import type { Answer, Connection } from '../agent.ts'
import type { FakeManner } from './fake-agent.fixture.ts'
import { acp } from './index.ts'
import { objectOf, textOf, type JsonObject } from './messages.ts'

/** A connection to the fake agent, and its lines. */
export interface FakeConnection {
  readonly connection: Connection
  readonly cwd: string
  /** The lines in both directions. */
  readonly sent: JsonObject[]
  readonly received: JsonObject[]
  /** Resolves with the first line that matches. */
  readonly receive: (fits: (line: JsonObject) => boolean) => Promise<JsonObject>
  /** Sends a prompt, and resolves with the text of the answer. */
  readonly ask: (...parts: readonly (string | PromptPart)[]) => Promise<string>
}

/** Starts the fake agent and connects it. */
export async function connectFake(
  manner: FakeManner = {},
  more: { readonly resume?: string; readonly options?: JsonObject } = {},
): Promise<FakeConnection> {
  const cwd = await mkdtemp(join(tmpdir(), 'dragoman-acp-'))
  onTestFinished(() => rm(cwd, { recursive: true, force: true }))
  const sent: JsonObject[] = []
  const received: JsonObject[] = []
  const waiting = new Set<() => void>()
  const connection = await acp.connect({
    cwd,
    resume: more.resume ?? null,
    options: {
      command: process.execPath,
      args: [join(import.meta.dirname, 'fake-agent.fixture.ts')],
      env: { FAKE_MANNER: JSON.stringify(manner) },
      ...more.options,
    },
    dataFolder: join(cwd, 'data'),
    record: ({ raw }) => Promise.resolve(void sent.push(objectOf(JSON.parse(raw) as Json))),
    signal: AbortSignal.timeout(80_000),
  })
  onTestFinished(() => connection[Symbol.asyncDispose]())
  void (async () => {
    for await (const { raw } of connection.messages) {
      received.push(objectOf(JSON.parse(raw) as Json))
      for (const look of waiting) look()
    }
  })()
  const receive: FakeConnection['receive'] = fits =>
    new Promise(resolve => {
      const look = () => {
        const found = received.find(fits)
        if (found === undefined) return
        waiting.delete(look)
        resolve(found)
      }
      waiting.add(look)
      look()
    })
  let prompts = 0
  const ask: FakeConnection['ask'] = async (...parts) => {
    const before = received.length
    const whole = parts.map((part): PromptPart =>
      typeof part === 'string' ? { type: 'text', text: part } : part,
    )
    await connection.prompt(`p${(prompts += 1)}` as PromptId, whole)
    await receive(
      line => received.indexOf(line) >= before && objectOf(line['result'])['stopReason'] !== undefined,
    )
    return textIn(received.slice(before))
  }
  return { connection, cwd, sent, received, receive, ask }
}

/** The text in some lines. */
export const textIn = (lines: readonly JsonObject[]) =>
  lines
    .map(({ params }) => textOf(objectOf(objectOf(objectOf(params)['update'])['content'])['text']) ?? '')
    .join('')
/** The methods in some lines, in order. */
export const methodsIn = (lines: readonly JsonObject[]) => lines.flatMap(({ method }) => textOf(method) ?? [])
/** A person's answer. */
export const answer = (more: Partial<Answer> = {}): Answer => ({
  approved: true,
  reason: null,
  always: false,
  ...more,
})
