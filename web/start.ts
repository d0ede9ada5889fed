import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { start } from '../src/cli/run-command-line.ts'

/** Builds the web app if its sources changed, until the server is asked to stop. */
async function buildApp(signal: AbortSignal): Promise<void> {
  if (process.env['DRAGOMAN_WEB']) return
  const builder = spawn(process.execPath, [join(import.meta.dirname, 'build.ts'), '--if-stale'], {
    stdio: ['ignore', 2, 2],
  })
  signal.addEventListener('abort', () => builder.kill())
  const [code] = (await once(builder, 'exit')) as [number | null]
  if (code !== 0 && !signal.aborted)
    throw new Error('The web app could not be built. Its errors are above; correct them and start again.')
}

// `npm start`. One process, without a shell that would keep signals from it.
await start({ beforeServing: buildApp })
