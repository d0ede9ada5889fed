import type { Checks } from '../checks.ts'
import { startServer, type ServerProcess, type ServerProcessOptions } from '../server-process.ts'

/** A second server on the same folder is refused with a sentence, and the first one does not notice. */
export async function twoServers(
  first: ServerProcess,
  options: ServerProcessOptions,
  { check }: Checks,
): Promise<void> {
  const refusal = await startServer(options).then(
    async second => {
      await second.kill()
      return 'it was let in'
    },
    (error: Error) => error.message,
  )
  check(/is using the data folder/.test(refusal), `a second server is refused: ${refusal.trim()}`)
  const { status } = await fetch(`${first.url}/livez`)
  check(status === 200, 'and the first server keeps serving')
}
