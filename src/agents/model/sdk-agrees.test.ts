import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Chunk } from '../../protocol/chunk.ts'
import type { ConnectionId } from '../../protocol/ids.ts'
import { createModel } from './create-model.ts'
import { readRecorded } from './recorded-line.ts'
import { readSettings } from './settings.ts'
import { textIn } from './harness.fixture.ts'
import { initial, translate } from './translate.ts'

const folder =
  process.env['DRAGOMAN_MODEL_STREAMS'] ??
  join(import.meta.dirname, '../../../../shared/recordings/model-apis')
const isHere = existsSync(folder)

const services = [
  ['anthropic', { provider: 'anthropic' }],
  ['openai/responses', { provider: 'openai' }],
  ['openai/chat', { provider: 'openai', api: 'openai-chat' }],
  ['google', { provider: 'google' }],
  ['chat-compatible', { provider: 'openai-compatible', baseUrl: 'http://127.0.0.1:9/v1', model: 'm' }],
] as const

/** Where we read differently on purpose: our requests never ask for these. */
const otherwise: Readonly<Record<string, string>> = {
  'anthropic-compaction.1': 'a summary of the provider is no answer, and is shown as what it is',
  'openai-apply-patch-tool.1': 'an item of a tool that is OpenAI’s own is call and result at once',
  'openai-client-tool-search.1': 'an item of a tool that is OpenAI’s own is call and result at once',
  'openai-local-shell-tool.1': 'an item of a tool that is OpenAI’s own is call and result at once',
  'openai-shell-skills.1': 'an item of a tool that is OpenAI’s own is call and result at once',
  'openai-shell-tool.1': 'an item of a tool that is OpenAI’s own is call and result at once',
  'openai-error.1': 'an error ends the answer, where the SDK throws it',
}

const cases = services.flatMap(([place, options]) =>
  isHere
    ? readdirSync(join(folder, place))
        .filter(
          name => name.endsWith('.chunks.txt') && !Object.hasOwn(otherwise, name.replace('.chunks.txt', '')),
        )
        .map(name => [`${place}/${name}`, options] as const)
    : [],
)

interface Reading {
  readonly text: string
  readonly thinking: string
  readonly calls: readonly (readonly [string, unknown])[]
}

/** The AI SDK's result for a stream. */
async function bySdk(lines: readonly string[], options: object): Promise<Reading> {
  const body = `${lines.map(line => `data: ${line}\n\n`).join('')}data: [DONE]\n\n`
  const answer = async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  const model = createModel(readSettings(options as never), 'k', answer)
  const prompt = [{ role: 'user', content: [{ type: 'text', text: 'x' }] }]
  const { stream } = await model.doStream({ prompt } as never)
  let [text, thinking] = ['', '']
  const calls: [string, unknown][] = []
  for await (const part of stream as unknown as AsyncIterable<Record<string, unknown>>) {
    if (part['type'] === 'text-delta') text += String(part['delta'])
    if (part['type'] === 'reasoning-delta') thinking += String(part['delta'])
    if (part['type'] === 'tool-call' && part['providerExecuted'] !== true && part['dynamic'] !== true)
      calls.push([String(part['toolName']), JSON.parse(String(part['input']))])
  }
  return { text, thinking, calls }
}

function byUs(lines: readonly string[]): Reading {
  let state = initial('c' as ConnectionId)
  const chunks = lines.flatMap((line): readonly Chunk[] => {
    const raw = readRecorded(line)
    const [next, made] = raw === null ? [state, []] : translate(state, raw)
    state = next
    return made.map(({ chunk }) => chunk)
  })
  const settled = new Set(
    chunks.flatMap(chunk =>
      chunk.type === 'tool-output-available' || chunk.type === 'tool-output-error' ? [chunk.toolCallId] : [],
    ),
  )
  const calls = chunks.flatMap(chunk =>
    chunk.type === 'tool-input-available' && !settled.has(chunk.toolCallId)
      ? [[chunk.toolName, chunk.input] as const]
      : [],
  )
  return { text: textIn(chunks), thinking: textIn(chunks, 'reasoning-delta'), calls }
}

describe.skipIf(!isHere)(
  `the AI SDK and we read the streams in ${folder} alike (skipped where they are missing)`,
  () => {
    it.each(cases)('[A9] %s', async (file, options) => {
      const lines = readFileSync(join(folder, file), 'utf8')
        .split('\n')
        .filter(line => line.trim() !== '')
      const sdk = await bySdk(lines, options).catch((error: unknown) => String(error))
      const ours = byUs(lines)
      expect(ours).toEqual(sdk)
    })
  },
)
