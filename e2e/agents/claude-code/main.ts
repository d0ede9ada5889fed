import { inspect } from 'node:util'
import { ends } from './ends.ts'
import { emptyEnvironment } from './stage.ts'
import { tools } from './tools.ts'
import { words } from './words.ts'

/**
 * Runs the real Claude Code, offline, in an empty environment, against a fake of its model:
 * `node e2e/agents/claude-code/main.ts PROGRAM [part of a scenario's name]`.
 */
async function main(): Promise<void> {
  const [program, only = ''] = process.argv.slice(2).filter(word => !word.startsWith('--'))
  if (program === undefined) throw new Error('Say which program to run: the path of an installed claude.')
  emptyEnvironment(program)
  const scenarios = Object.entries({ ...words, ...tools, ...ends }).filter(([name]) => name.includes(only))
  for (const [name, play] of scenarios) {
    const begin = performance.now()
    const failure = await play().then(
      () => null,
      (error: unknown) => error,
    )
    const seconds = ((performance.now() - begin) / 1000).toFixed(1)
    process.stdout.write(`${failure === null ? 'ok    ' : 'FAILED'} ${seconds.padStart(5)} s  ${name}\n`)
    if (failure !== null) {
      process.exitCode = 1
      process.stdout.write(`${inspect(failure)}\n`)
    }
  }
}

await main()
