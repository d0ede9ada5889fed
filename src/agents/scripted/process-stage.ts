import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { AgentLine } from './messages.ts'
import { createTally, type Reply, type Stage } from './stage.ts'

/** The pending approvals, each with the function that takes its answer. */
export type Waiting = Map<string, (reply: Reply) => void>

/** What one answer needs from its process. */
export interface StageOptions {
  readonly pace: number
  readonly signal: AbortSignal
  readonly waiting: Waiting
  readonly promptLength: number
  readonly allowed: Set<string>
  readonly newName: (kind: string) => string
}

/** The stage of one answer in a real process: stdout, stderr and the clock. */
export function createProcessStage(options: StageOptions): Stage {
  const { pace, signal, waiting, promptLength, allowed, newName } = options
  const interrupted = () =>
    new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    })
  return {
    writeLine,
    write: writeBytes,
    log: text => void process.stderr.write(`${text}\n`),
    async pause(milliseconds) {
      const scaled = milliseconds * pace
      // Even without a pause, the host's lines must be read in between.
      await (scaled > 0 ? sleep(scaled, undefined, { signal }) : nextTurn(undefined, { signal }))
    },
    async answer(approval) {
      signal.throwIfAborted()
      const { promise, resolve } = Promise.withResolvers<Reply>()
      waiting.set(approval, resolve)
      return await Promise.race([promise, interrupted()]).finally(() => waiting.delete(approval))
    },
    async hang() {
      signal.throwIfAborted()
      return await interrupted()
    },
    crash: code => process.exit(code),
    newName,
    allowed,
    late: [],
    tally: createTally(promptLength),
  }
}

/** Writes one line to stdout. */
export async function writeLine(line: AgentLine): Promise<void> {
  await writeBytes(`${JSON.stringify(line)}\n`)
}

async function writeBytes(bytes: string | Uint8Array): Promise<void> {
  await new Promise<void>(resolve => {
    process.stdout.write(bytes, () => resolve())
  })
}
