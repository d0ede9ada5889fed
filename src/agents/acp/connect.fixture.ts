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

/** A connection to the fake agent, and what is said on it. */
export interface Talk {
  readonly connection: Connection
  readonly cwd: string
  /** What we sent, and what came back. */
  readonly sent: JsonObject[]
  readonly heard: JsonObject[]
  /** Resolves with the first line that fits. */
  readonly hear: (fits: (line: JsonObject) => boolean) => Promise<JsonObject>
  /** Prompts, and resolves with the words of the answer. */
  readonly ask: (...parts: readonly (string | PromptPart)[]) => Promise<string>
}

/** Starts the fake agent and connects it. */
export async function talk(
  manner: FakeManner = {},
  more: { readonly resume?: string; readonly options?: JsonObject } = {},
): Promise<Talk> {
  const cwd = await mkdtemp(join(tmpdir(), 'dragoman-acp-'))
  onTestFinished(() => rm(cwd, { recursive: true, force: true }))
  const sent: JsonObject[] = []
  const heard: JsonObject[] = []
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
      heard.push(objectOf(JSON.parse(raw) as Json))
      for (const look of waiting) look()
    }
  })()
  const hear: Talk['hear'] = fits =>
    new Promise(resolve => {
      const look = () => {
        const found = heard.find(fits)
        if (found === undefined) return
        waiting.delete(look)
        resolve(found)
      }
      waiting.add(look)
      look()
    })
  let prompts = 0
  const ask: Talk['ask'] = async (...parts) => {
    const before = heard.length
    const whole = parts.map((part): PromptPart =>
      typeof part === 'string' ? { type: 'text', text: part } : part,
    )
    await connection.prompt(`p${(prompts += 1)}` as PromptId, whole)
    await hear(line => heard.indexOf(line) >= before && objectOf(line['result'])['stopReason'] !== undefined)
    return wordsIn(heard.slice(before))
  }
  return { connection, cwd, sent, heard, hear, ask }
}

/** The words in some lines. */
export const wordsIn = (lines: readonly JsonObject[]) =>
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
