import { expect, it } from 'vitest'
import { demoSteps } from './demo.ts'
import type { AgentLine } from './messages.ts'
import { play } from './play.ts'
import { createTally, type Reply, type Stage } from './stage.ts'

/** A stage that collects the lines, and adds up the pauses instead of waiting. */
function createRecordingStage(reply: Reply) {
  const lines: AgentLine[] = []
  let names = 0
  const stage = {
    lines,
    pausedMs: 0,
    writeLine: (line: AgentLine) => Promise.resolve(void lines.push(line)),
    write: () => Promise.resolve(),
    log: () => undefined,
    pause: (milliseconds: number) => Promise.resolve(void (stage.pausedMs += milliseconds)),
    answer: () => Promise.resolve(reply),
    hang: () => Promise.reject(new Error('interrupted')),
    crash: code => Promise.reject(new Error(`crashed with ${code}`)),
    newName: (kind: string) => `${kind}-${(names += 1)}`,
    allowed: new Set<string>(),
    late: [],
    tally: createTally(0),
  } satisfies Stage & { readonly lines: readonly AgentLine[]; pausedMs: number }
  return stage
}

const approved: Reply = { approved: true, reason: null, always: false }
const stepsFor = (text: string) => demoSteps({ text, files: 0, resumed: false })

it('[A11] everything takes 3 to 15 seconds at its own pace', async () => {
  const stage = createRecordingStage(approved)
  expect(await play(stepsFor('everything'), stage)).toBeNull()
  expect(stage.pausedMs).toBeGreaterThan(3_000)
  expect(stage.pausedMs).toBeLessThan(15_000)
})

it('[P2] a denied tool does not run, and the answer continues', async () => {
  const stage = createRecordingStage({ ...approved, approved: false, reason: 'No.' })
  await play(stepsFor('an approval'), stage)
  const types = stage.lines.map(({ type }) => type)
  expect(stage.lines).toContainEqual(expect.objectContaining({ type: 'failure', error: 'No.' }))
  expect(types).not.toContain('result')
  expect(types.indexOf('text', types.indexOf('failure'))).toBeGreaterThan(0)
})

it('[P7] an error ends the answer with its kind and message, and no step after it is played', async () => {
  const stage = createRecordingStage(approved)
  const failure = { kind: 'overloaded', message: 'Too much to do.' }
  const steps = [
    { type: 'error', ...failure },
    { type: 'text', text: 'late' },
  ] as const
  expect(await play(steps, stage)).toEqual(failure)
  expect(stage.lines).toEqual([])
})
