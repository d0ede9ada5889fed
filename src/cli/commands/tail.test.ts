import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { ConnectionId, SessionId } from '../../protocol/ids.ts'
import { readConfiguration } from '../configuration/configuration.ts'
import { openLocalStore } from '../open-local-store.ts'
import { newFolder, startProcess } from '../process.fixture.ts'
import { startServer } from '../server.fixture.ts'
import { runHere } from '../shell.fixture.ts'

async function runScript(steps: readonly unknown[]) {
  const data = newFolder()
  const script = join(newFolder(), 'script.json')
  writeFileSync(script, JSON.stringify(steps))
  const { out } = await runHere(['run', '--data', data, '--script', script, 'go'])
  return { data, session: /session (\S+) · dragoman tail/.exec(out)?.[1] ?? '' }
}

it('[J3] [R2] returns native lines byte for byte, also if they are not UTF-8 or too long for memory', async () => {
  const times = 5_000_000
  const { data, session } = await runScript([
    { type: 'raw', base64: '/wBBgA==' },
    { type: 'raw', text: 'x', times },
    { type: 'text', text: 'still here' },
  ])
  const { code, out } = await runHere(['tail', session, '--data', data, '--raw'])
  expect(code).toBe(0)
  const lines = out.split('\n')
  expect(lines).toContain('\u00ff\u0000A\u0080')
  expect(lines.some(line => line.length === times && line === 'x'.repeat(times))).toBe(true)
  expect((await runHere(['tail', session, '--data', data])).out).toContain('still here')
})

it('[J7] rebuild shows what is translated differently now', async () => {
  const { data, session } = await runScript([{ type: 'text', text: 'short' }])
  const connection = 'other' as ConnectionId
  {
    await using store = await openLocalStore('tail', readConfiguration({ data }, { env: {}, cwd: data }))
    await store.journal.append(session as SessionId, [
      { type: 'agent-connected', agent: 'scripted', connection, process: null, resumed: null },
      {
        type: 'agent-spoke',
        interaction: null,
        connection,
        raw: '{"type":"begin","prompt":"x"}',
        chunks: [{ thread: null, chunk: { type: 'abort' } }],
      },
    ])
  }
  const { code, out } = await runHere(['rebuild', session, '--data', data])
  expect(code).toBe(0)
  expect(out).toMatch(
    /^entry \d+:\n {2}- \{"thread":null,"chunk":\{"type":"abort"\}\}\n {2}\+ \{"thread":null,"chunk":\{"type":"start"/,
  )
  expect(out).toMatch(/1 entry of \d+ entries differs\.\n$/)
  const json = await runHere(['rebuild', session, '--data', data, '--json'])
  expect(JSON.parse(json.out)).toMatchObject({ stored: [{ chunk: { type: 'abort' } }] })
})

it('[R3] --raw writes the bytes to a file or a program, and escapes them on a terminal', async () => {
  const text = '\u001b]0;owned\u0007\u009b31m\u202e'
  const { data, session } = await runScript([
    { type: 'text', text },
    { type: 'raw', base64: 'G1ubhQ==' },
  ])
  const args = ['tail', session, '--data', data]
  const piped = await runHere([...args, '--raw'])
  expect(piped.out).toContain('\u001b[\u009b\u0085')
  const shown = await runHere([...args, '--raw'], { person: () => undefined })
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  const active = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/
  expect(shown.out).not.toMatch(active)
  expect(shown.out).toContain('␛[')
  const json = await runHere([...args, '--json'])
  expect(json.out).not.toMatch(active)
  expect(
    json.out
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line) as unknown),
  ).not.toEqual([])
})

it('[A18] reports when a running agent writes nothing', { timeout: 60_000 }, async () => {
  const data = newFolder()
  await startServer(data)
  const runner = startProcess(['run', '--data', data, '--json', 'a hang'], undefined, { cwd: process.cwd() })
  await runner.shows('"text-delta"')
  const session = /"session":"([^"]+)"/.exec(runner.out())?.[1] ?? ''
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  onTestFinished(() => void vi.useRealTimers())
  let errors = ''
  let shown = ''
  const tailing = runHere(['tail', session, '--data', data], {
    meanwhile: (_, out, err) => ([shown, errors] = [out, err]),
  })
  await expect.poll(() => shown, { timeout: 20_000 }).toContain('I wait until you stop me')
  vi.advanceTimersByTime(20_000)
  await expect.poll(() => errors).toBe('No output for 20 s.\n')
  runner.child.kill('SIGINT')
  expect((await tailing).code).toBe(0)
})
