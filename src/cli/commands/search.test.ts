import { describe, expect, it } from 'vitest'
import { newFolder } from '../process.fixture.ts'
import { startServer } from '../server.fixture.ts'
import { runHere } from '../shell.fixture.ts'

const linesIn = (out: string) => out.split('\n').filter(Boolean)

async function searched(data: string, ...args: readonly string[]) {
  const { code, out, err } = await runHere(['search', '--data', data, ...args])
  expect(code, err).toBe(0)
  return out
}

describe('dragoman search', () => {
  it(
    '[J15] finds texts without a server and through one, in the same form',
    { timeout: 60_000 },
    async () => {
      const data = newFolder()
      await runHere(['run', '--data', data, '--options', '{"pace":0}', 'Show me tools'])
      const alone = await searched(data, '--json', '"show', 'me', 'tools"')
      const [hit = '{}'] = linesIn(alone)
      expect(JSON.parse(hit)).toMatchObject({ kind: 'prompt', snippet: 'Show me tools', ranges: [[0, 13]] })
      const { session, seq } = JSON.parse(hit) as { session: string; seq: number }
      const shown = await searched(data, 'show')
      expect(shown).toContain(`${session} ${seq}  prompt, just now\n  Show me tools\n`)
      await startServer(data)
      await expect.poll(() => searched(data, '--json', '"show', 'me', 'tools"')).toBe(alone)
    },
  )

  it('[J15] says when nothing was found, and what a bad query needs', async () => {
    const data = newFolder()
    await runHere(['run', '--data', data, '--options', '{"pace":0}', 'Hello'])
    expect(await searched(data, 'unheardof')).toBe(
      'Nothing was found. Try fewer words, or a part of a word.\n',
    )
    const bad = await runHere(['search', '--data', data, '/(/'])
    expect(bad).toMatchObject({
      code: 2,
      err: expect.stringContaining('The pattern /(/ is not valid') as string,
    })
    expect(await runHere(['search', '--data', data])).toMatchObject({ code: 2 })
  })
})
