import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { HistoryEdit } from '../agent.ts'
import { ownHistory } from './own-history.ts'

const item = (payload: object) => `${JSON.stringify({ type: 'response_item', payload })}\n`
const output = (call: string, given: unknown, type = 'function_call_output') =>
  item({ type, call_id: call, output: given })

const beginning = item({ type: 'reasoning', id: 'r', encrypted_content: 'x' })
const whole = [
  beginning,
  output('call_a', 'one\ntwo'),
  output('call_b', [{ type: 'input_text', text: 'seen' }], 'custom_tool_call_output'),
].join('')

const edit = (call: string, how: HistoryEdit['how']): HistoryEdit => ({
  call,
  how,
  text: '[text]',
  keepFirst: 0,
  keepLast: 0,
})

it('[X6] outputs of a rollout are changed in their own shape, and are restored byte for byte', async () => {
  const home = await mkdtemp(join(tmpdir(), 'dragoman-codex-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  vi.stubEnv('CODEX_HOME', home)
  onTestFinished(() => void vi.unstubAllEnvs())
  const open = () => ownHistory.open({ agentSession: 'thread', dataFolder: join(home, 'data') })
  await expect(open()).rejects.toThrow('0 files')
  const file = join(home, 'sessions/2026/11/15/rollout-2026-11-15-thread.jsonl')
  await mkdir(join(file, '..'), { recursive: true })
  await writeFile(file, whole)
  const history = await open()
  expect(history.calls).toEqual(new Set(['call_a', 'call_b']))
  await history.write([edit('call_a', 'replace'), edit('call_b', 'append')], [])
  const items = [
    { type: 'input_text', text: 'seen' },
    { type: 'input_text', text: '[text]' },
  ]
  expect(await readFile(file, 'utf8')).toBe(
    beginning + output('call_a', '[text]') + output('call_b', items, 'custom_tool_call_output'),
  )
  await (await open()).write([], [])
  expect(await readFile(file, 'utf8')).toBe(whole)
})
