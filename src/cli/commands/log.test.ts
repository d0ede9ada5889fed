import { describe, expect, it } from 'vitest'
import type { WorkLogEntry } from '../../projections/work-log/work-log-entry.ts'
import { newFolder, startProcess } from '../process.fixture.ts'
import { startServer } from '../server.fixture.ts'
import { runHere } from '../shell.fixture.ts'

const linesIn = (out: string) => out.split('\n').filter(Boolean)

async function ranWith(prompt: string) {
  const data = newFolder()
  const { out } = await runHere(['run', '--data', data, '--options', '{"pace":0}', '--json', prompt])
  const session = String((JSON.parse(linesIn(out)[0] ?? '{}') as { session?: string }).session)
  return { data, session }
}

describe('dragoman log', () => {
  it('[X7] shows a line for each tool call: first entry, outcome and summary', async () => {
    const { data, session } = await ranWith('tools and a subagent')
    const { code, out } = await runHere(['log', session.slice(0, 30), '--data', data])
    expect(code).toBe(0)
    const bare = linesIn(out).map(line => line.replace(/^ *\d+ {2}/, '').replace(/ \(\d+ s\)$/, ''))
    expect(bare).toEqual([
      '✓ Read README.md',
      '✓ Ran `npm test` → exit 0',
      '✗ Could not read missing.txt: File missing.txt does not exist.',
      '✓ Delegated to explorer: Find out how the tests are run',
      '  ✓ Read package.json',
      '  ✓ Delegated to counter: Count the tests',
      "  ✓ Searched 'it\\(' (42 hits)",
    ])
    const json = await runHere([
      'log',
      session,
      '--data',
      data,
      '--json',
      '--tool',
      'read',
      '--outcome',
      'failure',
    ])
    const entries = linesIn(json.out).map(line => JSON.parse(line) as WorkLogEntry)
    expect(entries).toMatchObject([{ tool: 'Read', outcome: 'failure', impact: [] }])
    const seq = entries[0]?.seqs[0] ?? 0
    const tail = await runHere(['tail', session, '--data', data, '--after', String(seq - 1), '--json'])
    expect(linesIn(tail.out)[0]).toContain(entries[0]?.toolCallId)
  })

  it(
    '[X7] follows through a server: finished calls first, then each new one when it is done',
    { timeout: 60_000 },
    async () => {
      const { data, session } = await ranWith('tools')
      const server = await startServer(data)
      const follower = startProcess(['log', session, '--data', data, '--follow'])
      await follower.shows('Ran `npm test` → exit 0')
      expect(linesIn(follower.out())).toHaveLength(3)
      await runHere(['run', '--data', data, '--session', session, 'a subagent'])
      await follower.shows('Delegated to explorer')
      expect(linesIn(follower.out())).toHaveLength(7)
      follower.child.kill('SIGKILL')
      server.child.kill('SIGTERM')
      await Promise.all([follower.ended, server.ended])
    },
  )

  it('[O3] refuses unknown options', async () => {
    const { data, session } = await ranWith('hello')
    expect(await runHere(['log', session, '--data', data, '--outcome', 'great'])).toMatchObject({ code: 2 })
    expect(await runHere(['log', '--data', data])).toMatchObject({ code: 2 })
    expect((await runHere(['log', session, '--data', data])).out).toBe('')
  })
})
