import { fork } from 'node:child_process'
import { once } from 'node:events'
import { countAsOurs } from '../harness/foreign-load.ts'

/** A program of a bench that runs in a separate process, so that its cost is measured apart. */
export interface Part<Asked, Told> extends AsyncDisposable {
  readonly pid: number
  /** Asks it one thing and waits for the answer. */
  ask(question: Asked): Promise<Told>
}

/** Starts a program of this folder, with flags for Node where it needs some. */
export async function startPart<Asked extends object, Told>(
  name: string,
  flags: readonly string[] = [],
): Promise<Part<Asked, Told>> {
  const child = fork(new URL(`./${name}.ts`, import.meta.url), {
    execArgv: ['--expose-gc', ...flags],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  // A child must not outlive a bench that breaks off.
  const end = () => child.kill()
  process.once('exit', end)
  await Promise.race([once(child, 'message'), ended.then(() => failed(name))])
  const ours = countAsOurs(child.pid ?? 0)
  return {
    pid: child.pid ?? 0,
    async ask(question) {
      child.send(question)
      const [told] = (await Promise.race([once(child, 'message'), ended.then(() => failed(name))])) as [Told]
      return told
    },
    async [Symbol.asyncDispose]() {
      process.removeListener('exit', end)
      end()
      await ended
      ours[Symbol.dispose]()
    },
  }
}

function failed(name: string): never {
  throw new Error(`${name} ended before it had answered.`)
}

/** Answers what a bench asks, in the program that it started. */
export function answerBench<Asked, Told extends object>(answer: (question: Asked) => Promise<Told>): void {
  process.on('message', question => {
    void answer(question as Asked).then(told => process.send?.(told))
  })
  process.on('disconnect', () => process.exit(0))
  process.send?.({ ready: true })
}
