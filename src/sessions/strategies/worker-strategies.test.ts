import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { CustomQuestion } from '../../context/custom-strategy.ts'
import { createWorkerStrategies } from './worker-strategies.ts'

const folder = mkdtempSync(join(tmpdir(), 'dragoman-strategies-'))
afterAll(() => rmSync(folder, { recursive: true }))

const left = join(folder, 'left')
const names = `import fs from 'node:fs'\nconst left = ${JSON.stringify(left)}\n`

const bodies = {
  echo: 'question => [{ parts: [question.trigger.call], to: "superseded", reason: "again" }]',
  throws: '() => { throw new Error("I am broken") }',
  loops: '() => { for (;;) {} }',
  slow: '() => { const from = process.threadCpuUsage(); while (process.threadCpuUsage(from).user < 1e5); return [] }',
  greedy: '() => { const all = []; for (;;) all.push(new Array(1e6).fill(1)) }',
  strange: '() => () => 1',
  later: 'async () => []',
  exits: '() => process.exit(1)',
  exitsOnce: `() => { if (!fs.existsSync(left)) setImmediate(() => process.exit(fs.writeFileSync(left, ''))); return [] }`,
  wordy: '() => { throw new Error("x".repeat(100_000)) }',
}

const modules = Object.fromEntries(
  Object.entries(bodies).map(([name, body]) => {
    const path = join(folder, `${name}.mjs`)
    writeFileSync(path, `${names}export default ${body}\n`)
    return [name, path]
  }),
)

const ask = (strategy: string): CustomQuestion => {
  const trigger = {
    call: 'p1',
    result: 'p1.result',
    tool: 'Read',
    effect: 'read',
    resources: [],
    outcome: 'success',
    step: 1,
    at: 1,
    input: null,
    mark: 'active',
  } as const
  return { strategy, trigger, interaction: 'i', pairs: [trigger] }
}

describe('custom strategies in threads', () => {
  it('[X3] a strategy answers', async () => {
    await using strategies = createWorkerStrategies(modules)
    expect(await strategies.ask(ask('echo'))).toEqual({
      isAnswered: true,
      answer: [{ parts: ['p1'], to: 'superseded', reason: 'again' }],
    })
  })

  it('[X3] a strategy fails when it throws, returns a function or returns a promise', async () => {
    await using strategies = createWorkerStrategies(modules)
    expect(await strategies.ask(ask('throws'))).toEqual({
      isAnswered: false,
      code: 'strategy-failed',
      why: 'I am broken',
    })
    expect(await strategies.ask(ask('strange'))).toMatchObject({ isAnswered: false, code: 'strategy-failed' })
    expect(await strategies.ask(ask('later'))).toMatchObject({ isAnswered: false, code: 'strategy-failed' })
    expect(await strategies.ask(ask('nobody'))).toMatchObject({ isAnswered: false, code: 'strategy-failed' })
  })

  it('[X3] a strategy that loops or takes too long is ended without blocking the server, and the next question is answered', async () => {
    await using strategies = createWorkerStrategies(modules)
    // A loop in this thread would never end.
    expect(await strategies.ask(ask('loops'))).toMatchObject({ isAnswered: false, code: 'strategy-too-slow' })
    expect(await strategies.ask(ask('slow'))).toMatchObject({ isAnswered: false, code: 'strategy-too-slow' })
    expect(await strategies.ask(ask('echo'))).toMatchObject({ isAnswered: true })
  })

  it('[X3] a strategy that uses up its memory ends only its own thread', async () => {
    await using strategies = createWorkerStrategies(modules)
    expect(await strategies.ask(ask('greedy'))).toMatchObject({ isAnswered: false })
    expect(await strategies.ask(ask('echo'))).toMatchObject({ isAnswered: true })
  })

  it('[X3] a strategy that ends its thread, or cannot be loaded, fails alone: the others answer', async () => {
    await using strategies = createWorkerStrategies({ ...modules, gone: join(folder, 'gone.mjs') })
    expect(await strategies.ask(ask('gone'))).toMatchObject({ isAnswered: false })
    expect(await strategies.ask(ask('exits'))).toMatchObject({ isAnswered: false, code: 'strategy-failed' })
    expect(await strategies.ask(ask('echo'))).toMatchObject({ isAnswered: true })
    const outcomes = [await strategies.ask(ask('exitsOnce'))]
    expect(outcomes).toEqual([{ isAnswered: true, answer: [] }])
    await expect.poll(() => existsSync(left)).toBe(true)
    const askAgain = async () => {
      outcomes.push(await strategies.ask(ask('exitsOnce')))
      return outcomes.at(-1)
    }
    await expect.poll(askAgain).toEqual({ isAnswered: true, answer: [] })
    expect(outcomes).not.toContainEqual(expect.objectContaining({ code: 'strategy-too-slow' }))
  })

  it('[X3] the error for a promise says that an answer must be immediate, and all errors are short', async () => {
    await using strategies = createWorkerStrategies(modules)
    expect(await strategies.ask(ask('later'))).toMatchObject({
      why: 'It must return its result directly, not a promise.',
    })
    const wordy = await strategies.ask(ask('wordy'))
    expect(wordy.isAnswered ? '' : wordy.why).toHaveLength(1000)
  })

  it('[X3] no strategy answers for another', async () => {
    const liar = join(folder, 'liar.mjs')
    writeFileSync(
      liar,
      'import { parentPort } from "node:worker_threads"\n' +
        'const lie = () => parentPort.postMessage({ type: "answered", answer: ["a lie"] })\n' +
        'parentPort.on("message", lie)\nsetInterval(lie, 1)\nexport default () => []\n',
    )
    await using strategies = createWorkerStrategies({ ...modules, liar })
    await strategies.ask(ask('liar'))
    for (let times = 0; times < 5; times++)
      expect(await strategies.ask(ask('echo'))).toMatchObject({ answer: [{ parts: ['p1'] }] })
  })

  it('[X3] a module that cannot be loaded fails with a reason', async () => {
    await using strategies = createWorkerStrategies({ gone: join(folder, 'gone.mjs') })
    const outcome = await strategies.ask(ask('gone'))
    expect(outcome).toMatchObject({ isAnswered: false, code: 'strategy-failed' })
    expect(outcome.isAnswered ? '' : outcome.why).toContain('gone.mjs')
  })

  it('[X3] a module that could not be loaded is retried only when its file changes or after a minute', async () => {
    const [path, loads] = [join(folder, 'unloadable.mjs'), join(folder, 'loads')]
    const load = `import { appendFileSync } from 'node:fs'\nappendFileSync(${JSON.stringify(loads)}, '.')\n`
    writeFileSync(path, `${load}throw new Error('not today')\n`)
    let now = 0
    await using strategies = createWorkerStrategies({ own: path }, () => now)
    const askOwn = async () => {
      const outcome = await strategies.ask(ask('own'))
      return [outcome.isAnswered ? 'answered' : outcome.why, readFileSync(loads, 'utf8').length]
    }
    expect(await askOwn()).toEqual(['not today', 1])
    expect(await askOwn()).toEqual(['not today', 1])
    now += 60_000
    expect(await askOwn()).toEqual(['not today', 2])
    writeFileSync(path, `${load}export default () => []\n`)
    utimesSync(path, 1, 1)
    expect(await askOwn()).toEqual(['answered', 3])
  })

  it('[X3] a timeout is reported only when loading really took too long', async () => {
    const path = join(folder, 'stray.mjs')
    writeFileSync(
      path,
      'import { parentPort } from "node:worker_threads"\nparentPort.postMessage(null)\nexport default () => []\n',
    )
    await using strategies = createWorkerStrategies({ stray: path })
    expect(await strategies.ask(ask('stray'))).toMatchObject({
      why: 'The strategy sent a message while it was loading.',
    })
  })

  it('[X3] a strategy that keeps too much in buffers is refused and restarted', async () => {
    const path = join(folder, 'buffers.mjs')
    writeFileSync(path, 'const all = []\nexport default () => (all.push(Buffer.alloc(100 * 2 ** 20)), [])\n')
    await using strategies = createWorkerStrategies({ buffers: path })
    const answers = [1, 2, 3].map(() => strategies.ask(ask('buffers')))
    expect(await Promise.all(answers)).toMatchObject([
      { isAnswered: true },
      { code: 'strategy-failed', why: 'It used more than 128 MB of buffers and was stopped.' },
      { isAnswered: true },
    ])
  })

  it('[X3] the output of a strategy does not mix with our stdout', () => {
    const noisy = join(folder, 'noisy.mjs')
    writeFileSync(noisy, 'console.log("loaded")\nexport default () => { console.log("asked"); return [] }\n')
    const script = join(folder, 'ask-noisy.mjs')
    writeFileSync(
      script,
      `import { createWorkerStrategies } from ${JSON.stringify(new URL('worker-strategies.ts', import.meta.url).href)}
      const strategies = createWorkerStrategies({ noisy: ${JSON.stringify(noisy)} })
      await strategies.ask(${JSON.stringify(ask('noisy'))})
      await strategies[Symbol.asyncDispose]()
      console.log('done')\n`,
    )
    const { stdout, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' })
    expect(stdout).toBe('done\n')
    expect(stderr).toContain('loaded')
  })
})
