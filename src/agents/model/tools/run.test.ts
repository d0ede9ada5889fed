import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createBench } from './place.fixture.ts'

process.env['TEST_SECRET'] = 'do not tell'

/** Whether the process whose id is in a file has ended; a zombie has ended, too. */
async function isGone(file: string): Promise<boolean> {
  const pid = (await readFile(file, 'utf8')).trim()
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat === '' || /\) Z /.test(stat)
}

describe('the tool that runs commands', () => {
  it('[A9] returns the exit code and both outputs in order, and has no input', async () => {
    const bench = await createBench()
    expect(await bench.use('run', { command: 'echo one; echo two >&2; exit 3' })).toEqual({
      output: 'one\ntwo\n',
      exitCode: 3,
    })
    expect(await bench.use('run', { command: 'cat; echo end' })).toEqual({ output: 'end\n', exitCode: 0 })
    expect(
      await bench.use('run', { command: `printf %s "it's \\$HOME \`x\`" 2>/dev/null; pwd` }),
    ).toMatchObject({
      output: expect.stringContaining(bench.cwd) as string,
    })
    expect(await bench.use('run', { command: 'no-such-program' })).toMatchObject({ exitCode: 127 })
  })

  it('[R3] gets only harmless or named variables of our environment', async () => {
    const bench = await createBench()
    expect(await bench.use('run', { command: 'echo "[$TEST_SECRET]"' })).toMatchObject({ output: '[]\n' })
    const named = await createBench({}, { inherit: ['TEST_SECRET'] })
    expect(await named.use('run', { command: 'echo "[$TEST_SECRET]"' })).toMatchObject({
      output: '[do not tell]\n',
    })
  })

  it('[A14] ends with all that it started when it takes too long', async () => {
    const bench = await createBench()
    const command = 'sleep 300 & echo $! > pid; setsid sleep 300 & echo here; wait'
    const result = await bench.use('run', { command, timeout_seconds: 0.5 })
    expect(result).toMatchObject({
      output: 'here\n',
      exitCode: null,
      timedOut: expect.stringContaining('0.5') as string,
    })
    expect(await isGone(join(bench.cwd, 'pid'))).toBe(true)
  })

  it('[A14] leaves nothing behind when it is done', async () => {
    const bench = await createBench()
    await bench.use('run', { command: 'nohup sleep 300 >/dev/null 2>&1 & echo $! > pid' })
    expect(await isGone(join(bench.cwd, 'pid'))).toBe(true)
  })

  it('[R4] its output is bounded for the model, and kept for the person', async () => {
    const bench = await createBench()
    const result = (await bench.use('run', { command: 'yes abcdefg | head -c 600000; echo last' })) as {
      output: string
    }
    expect(result.output.length).toBeLessThan(51_000)
    expect(result.output).toMatch(/^abcdefg/)
    expect(result.output).toMatch(/characters are left out here[\s\S]*last\n$/)
    expect(bench.shown.join('').length).toBe(600_005)
  })

  it('[R4] a flood of output is counted, not stored', async () => {
    const bench = await createBench()
    const result = (await bench.use('run', { command: 'yes | head -c 30000000' })) as { output: string }
    expect(result.output.length).toBeLessThan(51_000)
    expect(bench.shown.join('').length).toBeLessThan(5_000_000)
  })

  it('[A9] shows its output while it runs', async () => {
    const bench = await createBench()
    await bench.use('run', { command: 'for i in 1 2 3 4 5 6; do echo $i; sleep 0.1; done' })
    expect(bench.shown.length).toBeGreaterThan(1)
  })
})
