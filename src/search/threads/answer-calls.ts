import { parentPort } from 'node:worker_threads'
import { errorMessage } from '../../protocol/error.ts'
import type { Answered, Asked } from './messages.ts'

type Calls<Map> = {
  readonly [Name in keyof Map]: Map[Name] extends {
    readonly asked: infer Question
    readonly answer: infer Answer
  }
    ? (asked: Question) => Promise<Answer>
    : never
}

/** In a thread: answers the calls of the main thread. */
export function answerCalls<Map>(calls: Calls<Map>): void {
  const handlers = calls as Readonly<Record<string, (asked: unknown) => Promise<unknown>>>
  parentPort?.on('message', ({ name, asked }: Asked) => {
    void answerOf(async () => handlers[name]?.(asked)).then(answered => parentPort?.postMessage(answered))
  })
}

async function answerOf(work: () => Promise<unknown>): Promise<Answered> {
  try {
    return { answer: await work() }
  } catch (error) {
    return { failure: errorMessage(error) }
  }
}
