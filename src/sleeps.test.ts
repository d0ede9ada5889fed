import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

/** Test files that let real time pass, each with the reason why no condition, event or fake clock would do. */
const allowed: Readonly<Record<string, string>> = {
  'src/agents/bad-programs.test.ts': 'A bad program keeps its own time.',
  'src/agents/codex/program.fixture.ts': 'The pretended program is slow to start a turn.',
  'src/agents/kit/child-process.test.ts': 'A reader is slower than the cleanup after the exit.',
  'src/cli/sessions-api/sessions-api.test.ts':
    'The command waits for the owner of a folder in real time, in another process.',
  'src/cli/shell.fixture.ts': 'A person types a moment after the question.',
  'src/client/faulty-network.fixture.ts': 'The delays of a network are what is tested.',
  'src/journal/followers.fixture.ts':
    'A taker pauses as long as was drawn at random; no assertion depends on it.',
  'src/journal/journal.contract.ts': 'A journal packs in the background, which nothing reports.',
  'src/sessions/commands/answers.property.test.ts':
    'The moments are drawn at random; no assertion depends on them.',
  'src/sessions/sessions.property.test.ts': 'The moments are drawn at random; no assertion depends on them.',
}

const files = globSync(['{src,web/src,e2e,bench}/**/*.{test,fixture,contract}.{ts,tsx}'], {
  cwd: root,
  exclude: ['**/node_modules'],
})

/** A timer of more than zero that is not a deadline. A timer that only rejects is a deadline: a passing test never waits for it. */
const isSleep = (call: string) => !/^(\(\) => reject|\w+\)|\(\) => [^,]*\), 0\))/.test(call)

/** Whether a test lets real time pass. */
function sleeps(text: string): boolean {
  if (text.includes('useFakeTimers')) return false
  if (/setTimeout\b[^\n]*\} from 'node:timers\/promises'|\/wait\.ts'/.test(text)) return true
  return [...text.matchAll(/\bsetTimeout\(\s*(.*)/g)].some(([, call = '']) => isSleep(call))
}

describe('tests wait for conditions', () => {
  it('[R2] no test file lets real time pass, unless it is listed with a reason', () => {
    expect(files.length).toBeGreaterThan(300)
    const found = files.filter(file => sleeps(readFileSync(join(root, file), 'utf8')))
    const others = found.filter(file => file !== 'src/sleeps.test.ts')
    expect(others.toSorted()).toEqual(Object.keys(allowed).toSorted())
  })

  it.each([
    ["import { setTimeout as sleep } from 'node:timers/promises'", true],
    ["import { setImmediate } from 'node:timers/promises'", false],
    ["import { wait } from './wait.ts'", true],
    ['await new Promise(resolve => setTimeout(resolve, 20))', true],
    ['await new Promise(resolve => setTimeout(resolve))', false],
    ['setTimeout(() => stop.abort(), 300)', true],
    ['const late = setTimeout(() => reject(new Error("never")), 8000)', false],
    ['vi.useFakeTimers()\nsetTimeout(run, 16)', false],
  ])('[R2] %s is a sleep: %s', (text, isOne) => {
    expect(sleeps(text)).toBe(isOne)
  })
})
