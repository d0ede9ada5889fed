import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { ConnectionId, SessionId } from '../../protocol/ids.ts'
import { readConfiguration } from '../configuration/configuration.ts'
import { openHouse } from '../open-house.ts'
import { newFolder } from '../process.fixture.ts'
import { runHere } from '../shell.fixture.ts'

async function runScript(steps: readonly unknown[]) {
  const data = newFolder()
  const script = join(data, 'script.json')
  writeFileSync(script, JSON.stringify(steps))
  const { out } = await runHere(['run', '--data', data, '--script', script, 'go'])
  return { data, session: /session (\S+) · dragoman tail/.exec(out)?.[1] ?? '' }
}

it('[J3] [R2] gives the words of the agent back byte for byte, be they no UTF-8 or too long for memory', async () => {
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

it('[J7] rebuild shows what means something else today', async () => {
  const { data, session } = await runScript([{ type: 'text', text: 'short' }])
  const connection = 'other' as ConnectionId
  {
    await using house = await openHouse('tail', readConfiguration({ data }, { env: {}, cwd: data }))
    await house.journal.append(session as SessionId, [
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
