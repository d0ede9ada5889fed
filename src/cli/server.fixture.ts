import { startProcess, type Running } from './process.fixture.ts'

/** A server that runs as a separate process until the test is over. */
export interface ServerRunning extends Running {
  readonly url: string
  readonly address: string
  readonly pid: number
}

/** Starts a server on a data folder, and waits until it listens. Agents may work where the tests run. */
export async function startServer(data: string, flags: readonly string[] = []): Promise<ServerRunning> {
  const args = ['serve', '--json', '--data', data, '--port', '0', '--root', process.cwd(), ...flags]
  const running = startProcess(args)
  await running.shows('\n')
  return { ...running, ...(JSON.parse(running.out().split('\n')[0] ?? '') as Told) }
}

interface Told {
  readonly url: string
  readonly address: string
  readonly pid: number
}
