/** How long a worker may take for one question. */
const patience = 10_000

interface Reply {
  readonly id: number
}

interface Waiting<Question, Answer> {
  readonly id: number
  readonly question: Question
  readonly resolve: (answer: Answer | null) => void
}

/**
 * Asks a worker, which starts with the first question and gets one question at a time. The answer is null when the worker cannot
 * start, fails or stays silent for too long; the next question then starts a new worker. An aborted question is answered with
 * null: it leaves the queue, and the worker is stopped if it works on this question.
 */
export function createAsker<Question extends object, Answer extends Reply>(
  start: () => Worker,
): (question: Question, signal?: AbortSignal) => Promise<Answer | null> {
  const queue: Waiting<Question, Answer>[] = []
  let asked = 0
  let worker: Worker | null = null
  let watching: ReturnType<typeof setTimeout> | undefined

  const stop = () => {
    clearTimeout(watching)
    worker?.terminate()
    worker = null
  }
  // One question that keeps the worker busy for ever must not leave the others without an answer.
  const giveUp = () => {
    stop()
    for (const { resolve } of queue.splice(0)) resolve(null)
  }
  const settle = (id: number, answer: Answer | null) => {
    const at = queue.findIndex(each => each.id === id)
    if (at === -1) return
    for (const { resolve } of queue.splice(at, 1)) resolve(answer)
    if (at === 0) askNext()
  }
  const open = () => {
    const started = start()
    started.addEventListener('message', ({ data }: MessageEvent<Answer>) => settle(data.id, data))
    started.addEventListener('error', giveUp)
    return started
  }
  const askNext = () => {
    clearTimeout(watching)
    const [next] = queue
    if (next === undefined) return
    try {
      worker ??= open()
      worker.postMessage({ ...next.question, id: next.id })
      watching = setTimeout(giveUp, patience)
    } catch {
      giveUp()
    }
  }
  const cancel = (id: number) => {
    if (queue[0]?.id === id) stop()
    settle(id, null)
  }

  return (question, signal) =>
    new Promise(resolve => {
      const id = ++asked
      queue.push({ id, question, resolve })
      signal?.addEventListener('abort', () => cancel(id), { once: true })
      if (queue.length === 1) askNext()
    })
}
