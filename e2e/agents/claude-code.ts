import { existsSync } from 'node:fs'
import { inspect } from 'node:util'
import { ends } from './claude-code/ends.ts'
import { emptyEnvironment } from './claude-code/stage.ts'
import { tools } from './claude-code/tools.ts'
import { words } from './claude-code/words.ts'

/*
 * Claude Code itself, offline and in an empty environment, through our own `connect`, against a fake of its model:
 * DRAGOMAN_CLAUDE_CODE=path/to/claude node e2e/agents/claude-code.ts [part of a name …]
 */

const program = process.env['DRAGOMAN_CLAUDE_CODE'] ?? ''
if (!existsSync(program))
  throw new Error(
    'Set DRAGOMAN_CLAUDE_CODE to the program: npm install @anthropic-ai/claude-code, in a folder of its own.',
  )
emptyEnvironment(program)
const only = process.argv.slice(2).filter(word => !word.startsWith('--'))
const scenarios = Object.entries({ ...words, ...tools, ...ends }).filter(
  ([name]) => only.length === 0 || only.some(part => name.includes(part)),
)
for (const [name, play] of scenarios) {
  const begin = performance.now()
  const failure = await play().then(
    () => null,
    (error: unknown) => error,
  )
  const seconds = ((performance.now() - begin) / 1000).toFixed(1)
  process.stdout.write(`${failure === null ? 'ok    ' : 'FAILED'} ${seconds.padStart(5)} s  ${name}\n`)
  if (failure === null) continue
  process.exitCode = 1
  process.stdout.write(`${inspect(failure)}\n`)
}
