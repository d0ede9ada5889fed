/** How long a worker may take for one request. */
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
 * Sends requests to a worker, which starts with the first one and gets one at a time. The response is null when
 * the worker can't start, fails or times out; the next request then starts a new worker. An aborted request
 * resolves to null: it leaves the queue, and the worker is stopped if it works on this request.
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
  // A request that blocks the worker forever must not leave the others without a response.
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
