import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { newFolder } from '../process.fixture.ts'
import { runHere } from '../shell.fixture.ts'

const id = '11111111-2222-4333-8444-555555555555'

/** A transcript of Claude Code that begins with a command and a pasted plan. */
function writeTranscript(): string {
  const line = (uuid: string, type: string, content: unknown, more: object = {}) => ({
    type,
    uuid,
    sessionId: id,
    cwd: '/work',
    timestamp: '2026-03-02T10:00:00.000Z',
    parentUuid: null,
    isSidechain: false,
    message: { id: uuid, role: type, content, ...more },
  })
  const usage = { input_tokens: 1_000_000, output_tokens: 0 }
  const lines = [
    line('u1', 'user', '<command-message>clear</command-message>\n<command-name>/clear</command-name>'),
    line('u2', 'user', 'Implement the following plan:\n\n# Plan: Round the total of the cart\n\nOnce.'),
    line('a1', 'assistant', [{ type: 'text', text: 'Yes.' }], { model: 'claude-opus-4-5', usage }),
  ]
  const file = join(newFolder(), `${id}.jsonl`)
  writeFileSync(file, lines.map(each => `${JSON.stringify(each)}\n`).join(''))
  return file
}

it('[J6] [W8] "sessions" shows what a session is about, its age and its cost, an estimate marked', async () => {
  const data = newFolder()
  expect((await runHere(['import', '--agent', 'claude-code', writeTranscript(), '--data', data])).code).toBe(
    0,
  )
  const { out } = await runHere(['sessions', '--data', data])
  const [, row = ''] = out.split('\n')
  expect(row).toContain('Round the total of the cart')
  expect(row).toMatch(/ ~\$5\.00 /)
  expect(row).toMatch(/\d+ d ago$/)
  const { out: json } = await runHere(['sessions', '--json', '--data', data])
  expect(JSON.parse(json)).toMatchObject({ id, cost: null, estimatedCost: 5, pinned: false, gitBranch: null })
})
