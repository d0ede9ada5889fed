import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

async function setUp(folders: readonly string[]) {
  const home = await mkdtemp(join(tmpdir(), 'dragoman-claude-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  vi.stubEnv('CLAUDE_CONFIG_DIR', home)
  onTestFinished(() => void vi.unstubAllEnvs())
  const files = folders.map(name => join(home, 'projects', name, `${session}.jsonl`))
  const whole = lines.map(line => `${JSON.stringify(line)}\n`).join('')
  for (const [at, file] of files.entries()) {
    await mkdir(join(home, 'projects', folders[at] ?? ''), { recursive: true })
    await writeFile(file, whole)
  }
  const open = () => ownHistory.open({ agentSession: session, dataFolder: join(home, 'data') })
  return { open, whole, read: () => readFile(files[0] ?? '', 'utf8') }
}

it('[X6] results of a transcript are cleared in their own shape, and are back byte for byte', async () => {
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

it('[X6] thinking after a cleared result is taken out, and some lines may stay', async () => {
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

it('[X6] a session of which there is no file, or more than one, is left alone', async () => {
  await expect((await setUp([])).open()).rejects.toThrow('0 files')
  await expect((await setUp(['-work', '-other'])).open()).rejects.toThrow('2 files')
  await expect(ownHistory.open({ agentSession: '../x', dataFolder: '/' })).rejects.toThrow('no file name')
})
