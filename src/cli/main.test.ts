import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import type { Entry } from '../protocol/entry.ts'
import { newFolder, startProcess } from './process.fixture.ts'
import { runHere } from './shell.fixture.ts'

const entriesIn = (out: string) =>
  out
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as Entry)
const hasScript = spawnSync('script', ['--version']).status === 0
const quoted = (words: readonly string[]) => words.map(word => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')

describe('the process of the command line', () => {
  it('[O1] [R1] [R2] keeps everything it showed when it is killed, and refuses a second process meanwhile', async () => {
    const data = newFolder()
    const first = startProcess(['run', '--data', data, '--json', 'a long answer and a hang'])
    await first.shows('"delta":"takes')
    const second = await startProcess(['sessions', '--data', data]).ended
    expect(second).toMatchObject({ code: 1, out: '' })
    expect(second.err).toMatch(/^error Another Dragoman \(process \d+, since .*\) is using the data folder/)
    const diagnosis = await runHere(['doctor', '--data', data])
    expect([diagnosis.code, diagnosis.out]).toEqual([0, expect.stringMatching(/^! lock +Another Dragoman/m)])
    first.child.kill('SIGKILL')
    const { out, signal } = await first.ended
    expect(signal).toBe('SIGKILL')

    expect((await runHere(['verify', '--data', data])).code).toBe(0)
    const shown = entriesIn(out.slice(0, out.lastIndexOf('\n')))
    const tail = await runHere(['tail', String(shown[0]?.session), '--data', data, '--json'])
    const kept = entriesIn(tail.out)
    expect(kept.slice(0, shown.length)).toEqual(shown)
    expect(kept.map(({ seq }) => seq)).toEqual(kept.map((_, index) => index + 1))
    expect(kept.at(-1)?.event).toMatchObject({ type: 'interaction-ended', outcome: 'interrupted' })
    expect((await runHere(['verify', '--data', data])).code).toBe(0)
  })

  it('[O3] stops the agent at Ctrl-C and exits with 1', async () => {
    const running = startProcess(['run', '--data', newFolder(), 'a hang'])
    await running.shows('you stop me')
    running.child.kill('SIGINT')
    const { code, out, err } = await running.ended
    expect(code).toBe(1)
    expect(out).toContain('Stopped in ')
    expect(err).toContain('Press Ctrl-C again to quit.')
  })

  it('[O3] completes its line when it has to stop', async () => {
    const running = startProcess(['run', '--data', newFolder(), 'a long answer'])
    await running.shows('A long answer takes')
    running.child.kill('SIGTERM')
    const { code, out } = await running.ended
    expect(code).toBe(1)
    expect(out).toMatch(/\nsession \S+ · dragoman tail \S+ --data \S+\n$/)
  })

  it('[O3] exits quietly with 0 when its output is closed', async () => {
    const running = startProcess(['run', '--data', newFolder(), '--json', 'a long answer'])
    await once(running.child.stdout, 'data')
    running.child.stdout.destroy()
    const { code, err } = await running.ended
    expect({ code, err }).toEqual({ code: 0, err: '' })
  })

  it.skipIf(!hasScript)('[O3] asks on a real terminal, in colour', async () => {
    const args = ['run', '--data', newFolder(), '--options', '{"pace":0}', 'thinking and an approval']
    const running = startProcess(args, words => ['script', '-qec', quoted(words), '/dev/null'])
    await running.shows('a always allow')
    running.child.stdin.write('y\n')
    const { code, out } = await running.ended
    expect(code).toBe(0)
    expect(out).toContain('"command": "rm -r build"')
    expect(out).toContain('\u001b[2m✻ ')
    expect(out).toMatch(/\? Bash: \S*allowed/)
    expect(out).toContain('Done in ')
  })
})
