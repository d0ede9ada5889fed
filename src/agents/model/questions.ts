import type { Answer } from '../agent.ts'

/** The questions that wait for a person. */
export interface Questions {
  /** Waits for the answer to a question; rejects when it is cancelled. */
  wait(approval: string, signal: AbortSignal): Promise<Answer>
  /** Gives an answer, unless the question is already closed. */
  answer(approval: string, answer: Answer): void
}

/** Keeps questions until they are answered. */
export function createQuestions(): Questions {
  const open = new Map<string, (answer: Answer) => void>()
  return {
    async wait(approval, signal) {
      signal.throwIfAborted()
      const { promise, resolve, reject } = Promise.withResolvers<Answer>()
      const abort = () => reject(signal.reason as Error)
      open.set(approval, resolve)
      signal.addEventListener('abort', abort, { once: true })
      try {
        return await promise
      } finally {
        open.delete(approval)
        signal.removeEventListener('abort', abort)
      }
    },
    answer: (approval, answer) => open.get(approval)?.(answer),
  }
}
