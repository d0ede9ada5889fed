import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { programsOf } from './clis.ts'
import type { LiveAgent } from './live-agent.ts'

const run = promisify(execFile)
const patience = 15 * 60_000

/** The name of the scenario that runs the agent's own suite. */
export const ownSuiteName = 'its own suite, without a server'

/** Runs an agent's own suite in a separate process. Throws its output when it fails. */
export async function playOwnSuite(agent: LiveAgent): Promise<void> {
  const { name, cli, variable } = agent
  const env = {
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    [variable]: join(programsOf(agent), cli.program),
  }
  const file = join(import.meta.dirname, '..', `${name}.ts`)
  try {
    await run(process.execPath, [file], { env, timeout: patience, maxBuffer: 1e8 })
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string }
    throw new Error(`${stdout}\n${stderr}`.slice(-6000), { cause: error })
  }
}
