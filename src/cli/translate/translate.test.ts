import { readFileSync } from 'node:fs'
import { readUIMessageStream, type UIMessage } from 'ai'
import { describe, expect, it } from 'vitest'
import type { ThreadChunk } from '../../protocol/chunk.ts'
import { assertWellFormed } from '../../protocol/well-formed.ts'
import { runHere } from '../shell.fixture.ts'
import { readRecording } from './read-recording.ts'

const lines = [
  { type: 'hello', session: 's', version: '1', model: 'm', cwd: '/' },
  { type: 'begin', prompt: 'p' },
  { type: 'text', key: 'k', delta: 'Hello \u2028 ' },
  { type: 'call', call: 'c1', tool: 'Bash' },
  { type: 'call-ready', call: 'c1', tool: 'Bash', input: { command: 'ls' } },
  { type: 'ask', call: 'c1', approval: 'a1' },
  { type: 'result', call: 'c1', output: 'done' },
  { type: 'never-seen', x: 1 },
].map(line => JSON.stringify(line))
const recording = [
  ...lines.slice(0, 2),
  '',
  ' \r',
  ...lines.slice(2),
  'no json',
  '{"type":"text","key":"k2","delta":"cut',
].join('\n')

interface Line {
  readonly thread: string | null
  readonly line: number
  readonly chunk: ThreadChunk['chunk']
}

async function translate(stdin: string, ...more: readonly string[]) {
  const ran = await runHere(['translate', '--agent', 'scripted', ...more], { stdin })
  expect(ran).toMatchObject({ code: 0, err: '' })
  return ran.out
}
const parse = <Shape>(out: string) =>
  out
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as Shape)

describe('translate', () => {
  it('[A2] [O3] gives the same bytes each time, with line numbers, and closes open parts', async () => {
    const out = await translate(recording)
    expect(await translate(recording)).toBe(out)
    const chunks = parse<Line>(out)
    assertWellFormed(chunks)
    expect(Object.keys(chunks[0] ?? {})).toEqual(['thread', 'line', 'chunk'])
    expect(chunks.find(({ chunk }) => chunk.type === 'text-delta')?.line).toBe(5)
    expect(chunks.find(({ chunk }) => chunk.type === 'data-unknown')?.line).toBe(10)
    expect(chunks.find(({ chunk }) => chunk.type === 'data-notice')?.line).toBe(11)
    expect(chunks.at(-1)).toMatchObject({
      thread: null,
      line: 12,
      chunk: { type: 'finish', finishReason: 'other' },
    })
    expect(await translate('')).toBe('')
    expect(await translate('\n\n')).toBe('')
  })

  it('[P6] gives complete messages per thread', async () => {
    const messages = parse<{ thread: string | null; message: UIMessage }>(
      await translate(recording, '--as', 'messages'),
    )
    expect(messages).toMatchObject([{ thread: null, message: { role: 'assistant' } }])
    const parts = messages[0]?.message.parts.map(part => part.type)
    expect(parts).toEqual(expect.arrayContaining(['text', 'dynamic-tool', 'data-unknown']))
  })

  it('[P1] marks an approved call in the v7 dialect, which a v7 client reads', async () => {
    const chunks = parse<Line>(await translate(recording, '--dialect', 'v7'))
    const types = chunks.map(({ chunk }) => chunk.type as string)
    expect(types.indexOf('tool-approval-response')).toBe(types.indexOf('tool-output-available') - 1)
    const message = await readAll(chunks)
    expect(message?.parts.find(part => part.type === 'dynamic-tool')).toMatchObject({
      state: 'output-available',
      approval: { id: 'a1', approved: true },
    })
  })

  it('[P1] resets a step only if everything in it was retracted', async () => {
    const start = [lines[0], lines[1]]
    const wrong = '{"type":"text","key":"k","delta":"wrong"}'
    const back = '{"type":"retract","keys":["k"]}'
    const image = '{"type":"image","url":"data:,","mediaType":"image/png"}'
    const right = '{"type":"text","key":"r","delta":"right"}'
    const whole = parse<Line>(await translate([...start, wrong, back, right].join('\n'), '--dialect', 'v7'))
    expect(whole.map(({ chunk }) => chunk.type as string)).toContain('reset-step')
    const message = await readAll(whole)
    expect(message?.parts.flatMap(part => (part.type === 'text' ? [part.text] : []))).toEqual(['right'])
    const part = parse<Line>(await translate([...start, image, wrong, back].join('\n'), '--dialect', 'v7'))
    expect(part.map(({ chunk }) => chunk.type as string)).not.toContain('reset-step')
  })

  it('[A3] reports a recording without known lines, and still shows it', async () => {
    for (const agent of ['claude-code', 'codex', 'opencode', 'gemini-cli', 'acp']) {
      const strange = '{"type":"brand.new","words":"SECRET"}\ngarbage\n'
      const ran = await runHere(['translate', '--agent', agent, '--as', 'messages'], { stdin: strange })
      expect(ran.code).toBe(0)
      expect(ran.err).toMatch(/^None of the 2 lines is recognized as a line of \S.*\.\n$/)
      expect(parse<{ message: UIMessage }>(ran.out)).toHaveLength(1)
      for (const word of ['SECRET', 'garbage']) expect(ran.out).toContain(word)
    }
    const quiet = await runHere(['translate', '--agent', 'codex'], { stdin: '{"method":"fs/changed"}\n' })
    expect(quiet).toEqual({ code: 0, out: '', err: 'The line has no visible content.\n' })
  })

  it.each([
    ['codex', 'mid\\n'],
    ['opencode', 'begun\\nmid\\n'],
  ])('[P3] keeps what a call of %s had printed when the agent was killed', async (agent, printed) => {
    const file = new URL(`../../agents/${agent}/recordings/kill9-1.jsonl`, import.meta.url)
    const stdin = readFileSync(file, 'utf8')
    const ran = await runHere(['translate', '--agent', agent, '--as', 'messages'], { stdin })
    expect(ran.out).toContain(`"errorText":"${printed}The recording ends here."`)
  })

  it('[R2] counts lines correctly for any split of the bytes', async () => {
    const bytes = Buffer.from('a\n\n\nb\r\n  \nü\n\nlast')
    for (let size = 1; size <= bytes.length; size += 1) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      )
      const read: [number, string][] = []
      for await (const { line, message } of readRecording(piecewise(pieces))) read.push([line, message.text])
      expect(read).toEqual([
        [1, 'a'],
        [4, 'b\r'],
        [6, 'ü'],
        [8, 'last'],
      ])
    }
  })
})

async function* piecewise(pieces: readonly Uint8Array[]) {
  yield* pieces
}

async function readAll(chunks: readonly Line[]): Promise<UIMessage | undefined> {
  const stream = new ReadableStream<never>({
    start(controller) {
      for (const { chunk } of chunks) controller.enqueue(chunk as never)
      controller.close()
    },
  })
  let last: UIMessage | undefined
  for await (const message of readUIMessageStream({ stream })) last = message
  return last
}
