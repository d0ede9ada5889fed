import { Worker } from 'node:worker_threads'
import { DragomanError } from '../../protocol/error.ts'
import type { Answered, Asked } from './messages.ts'

/** A thread that answers calls. It is started by the first call, and again by the next one after it ended. */
export interface CallThread<Map> extends AsyncDisposable {
  call<Name extends keyof Map & string>(
    name: Name,
    asked: AskedOf<Map, Name>,
    deadlineMs?: number,
  ): Promise<AnswerOf<Map, Name>>
}

type AskedOf<Map, Name extends keyof Map> = Map[Name] extends { readonly asked: infer Question }
  ? Question
  : never
type AnswerOf<Map, Name extends keyof Map> = Map[Name] extends { readonly answer: infer Answer }
  ? Answer
  : never

/** The thread was ended because an answer took too long. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError'
}

/** How much memory a thread may use on its heap. */
const heapMegabytes = 512

/** Prepares a thread that runs a file of this folder, from source or as built. It gets one call after the other. */
export function createCallThread<Map>(
  name: 'index-thread' | 'query-thread',
  workerData: unknown,
): CallThread<Map> {
  let running: Worker | null = null
  let isOver = false
  let turn: Promise<unknown> = Promise.resolve()
  const end = async () => {
    const worker = running
    running = null
    // A thread that is not waited for would let the process end before it.
    worker?.ref()
    await worker?.terminate()
  }
  const callNow = async (called: string, asked: unknown, deadlineMs: number | undefined) => {
    if (isOver) throw closed()
    const worker = (running ??= startThread(name, workerData))
    worker.ref()
    worker.postMessage({ name: called, asked } satisfies Asked)
    const answered = await nextFrom(worker, deadlineMs)
    worker.unref()
    if (answered !== null && 'answer' in answered) return answered.answer
    if (answered !== null && 'failure' in answered) throw new Error(answered.failure)
    await end()
    throw isOver
      ? closed()
      : answered === null
        ? new DeadlineError()
        : new Error('The thread of the search ended.')
  }
  return {
    call<Name extends keyof Map & string>(called: Name, asked: AskedOf<Map, Name>, deadlineMs?: number) {
      const answer = turn.then(() => callNow(called, asked, deadlineMs))
      // The next call does not depend on how this one went.
      turn = answer.catch(() => undefined)
      return answer as Promise<AnswerOf<Map, Name>>
    },
    async [Symbol.asyncDispose]() {
      isOver = true
      await end()
    },
  }
}

function startThread(name: string, workerData: unknown): Worker {
  const file = new URL(`./${name}${import.meta.url.slice(import.meta.url.lastIndexOf('.'))}`, import.meta.url)
  const worker = new Worker(file, {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
  })
  worker.unref()
  // An error is followed by the exit, which is waited for.
  worker.on('error', () => {})
  return worker
}

type End = Answered | { readonly type: 'ended' } | null

/** The next answer of a thread, or that it ended; null if none came in time. */
function nextFrom(worker: Worker, deadlineMs: number | undefined): Promise<End> {
  const { promise, resolve } = Promise.withResolvers<End>()
  const take = (message: Answered) => resolve(message)
  const ended = () => resolve({ type: 'ended' })
  const timer = deadlineMs === undefined ? undefined : setTimeout(resolve, deadlineMs, null)
  worker.once('message', take)
  worker.once('exit', ended)
  return promise.finally(() => {
    clearTimeout(timer)
    worker.off('message', take)
    worker.off('exit', ended)
  })
}

const closed = () => new DragomanError('journal-closed', 'The search was closed. Start Dragoman again.')
