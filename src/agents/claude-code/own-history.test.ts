import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { HistoryEdit } from '../agent.ts'
import { ownHistory } from './own-history.ts'

const session = '7e0c4a52-56f7-4b2e-9f60-3c1d3b3d9d11'

const thought = (uuid: string) => ({
  type: 'assistant',
  uuid,
  message: { id: uuid, role: 'assistant', content: [{ type: 'thinking', thinking: 'so', signature: 'x' }] },
})
const result = (uuid: string, call: string, content: unknown) => ({
  type: 'user',
  uuid,
  toolUseResult: { stdout: 'kept' },
  message: {
    role: 'user',
    content: [{ tool_use_id: call, type: 'tool_result', content, is_error: false }],
  },
})

const lines = [
  { type: 'user', uuid: 'u', message: { role: 'user', content: 'Go' } },
  thought('t1'),
  result('r1', 'toolu_a', 'one\ntwo\nthree'),
  thought('t2'),
  result('r2', 'toolu_b', [
    { type: 'text', text: 'seen' },
    { type: 'image', source: {} },
  ]),
]

const clear = (call: string, keepLast = 0): HistoryEdit => ({
  call,
  how: 'replace',
  text: '[cleared]',
  keepFirst: 0,
  keepLast,
})

async function setUp(folders: readonly string[], transcript: readonly object[] = lines) {
  const home = await mkdtemp(join(tmpdir(), 'dragoman-claude-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  vi.stubEnv('CLAUDE_CONFIG_DIR', home)
  onTestFinished(() => void vi.unstubAllEnvs())
  const files = folders.map(name => join(home, 'projects', name, `${session}.jsonl`))
  const whole = transcript.map(line => `${JSON.stringify(line)}\n`).join('')
  for (const [at, file] of files.entries()) {
    await mkdir(join(home, 'projects', folders[at] ?? ''), { recursive: true })
    await writeFile(file, whole)
  }
  const open = () => ownHistory.open({ agentSession: session, dataFolder: join(home, 'data') })
  const append = (line: object) => appendFile(files[0] ?? '', `${JSON.stringify(line)}\n`)
  return { open, whole, append, read: () => readFile(files[0] ?? '', 'utf8') }
}

it('[X6] results of a transcript are cleared in their own shape, and restored byte for byte', async () => {
  const { open, whole, read } = await setUp(['-work'])
  const history = await open()
  expect(history.calls).toEqual(new Set(['toolu_a', 'toolu_b']))
  await history.write([clear('toolu_b')], [])
  const made = (await read())
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as unknown)
  expect(made.slice(0, 4)).toEqual(lines.slice(0, 4))
  expect(made[4]).toEqual(result('r2', 'toolu_b', [{ type: 'text', text: '[cleared]' }]))
  await (await open()).write([], [])
  expect(await read()).toBe(whole)
})

it('[X6] thinking after a cleared result is removed, and some lines may stay', async () => {
  const { open, read } = await setUp(['-work'])
  await (await open()).write([clear('toolu_a', 1)], [])
  const made = (await read())
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as (typeof lines)[number])
  expect(made[1]).toEqual(lines[1])
  expect(made[2]).toEqual(result('r1', 'toolu_a', '[cleared]\nthree'))
  expect(made[3]?.message.content).toEqual([])
})

it('[X6] thinking is restored byte for byte with the result before it, and later thinking is removed', async () => {
  const { open, whole, read, append } = await setUp(['-work'])
  await (await open()).write([clear('toolu_a')], [])
  expect(await read()).not.toContain('"id":"t2","role":"assistant","content":[{')
  await append(thought('t3'))
  await (await open()).write([], [])
  const emptied = { ...thought('t3'), message: { ...thought('t3').message, content: [] } }
  expect(await read()).toBe(`${whole}${JSON.stringify(emptied)}\n`)
  await (await open()).write([clear('toolu_a')], [])
  expect(await read()).toContain(JSON.stringify(thought('t3')))
  await (await open()).write([], [])
  expect(await read()).toBe(`${whole}${JSON.stringify(emptied)}\n`)
})

/** A transcript of thoughts and results in any order, and sets of results that are cleared one after another. */
const stories = fc.record({
  kinds: fc.array(fc.constantFrom('thought', 'result'), { minLength: 1, maxLength: 12 }),
  rounds: fc.array(fc.uniqueArray(fc.nat(11), { maxLength: 6 }), { minLength: 1, maxLength: 6 }),
})

it('[X6] after any changes and rollbacks the transcript is as it was, byte for byte', async () => {
  await fc.assert(
    fc.asyncProperty(stories, async ({ kinds, rounds }) => {
      const made = kinds.map((kind, at) =>
        kind === 'thought' ? thought(`t${at}`) : result(`r${at}`, `toolu_${at}`, `result ${at}\n`.repeat(3)),
      )
      const { open, whole, read } = await setUp(['-work'], made)
      const calls = kinds.flatMap((kind, at) => (kind === 'result' ? [at] : []))
      const seen = new Map<string, string>([['', whole]])
      for (const round of rounds) {
        const cleared = calls.filter(at => round.includes(at))
        await (
          await open()
        ).write(
          cleared.map(at => clear(`toolu_${at}`)),
          [],
        )
        const text = await read()
        expect(seen.get(cleared.join()) ?? text).toBe(text)
        seen.set(cleared.join(), text)
        await (await open()).write([], [])
        expect(await read()).toBe(whole)
      }
    }),
    { numRuns: 40 },
  )
})

it('[X6] a session without a file, or with more than one, is left unchanged', async () => {
  await expect((await setUp([])).open()).rejects.toThrow('0 files')
  await expect((await setUp(['-work', '-other'])).open()).rejects.toThrow('2 files')
  await expect(ownHistory.open({ agentSession: '../x', dataFolder: '/' })).rejects.toThrow(
    'not a valid file name',
  )
})
