import { createMemory } from '../../markdown/memory.ts'
import { compareLines, type Comparison, type Texts } from './compare-lines.ts'

/** Texts with fewer lines than this, both together, are compared at once: that takes less than a frame. */
const few = 400

const memory = createMemory<Comparison>(50)
const keyOf = ({ from, to, first }: Texts) => `${first} ${from.length} ${from}${to}`

/** Whether two texts are compared in the worker. If one is empty, there is nothing to compare. */
export const isLarge = ({ from, to }: Texts): boolean =>
  from !== '' && to !== '' && lineEnds(from) + lineEnds(to) >= few

function lineEnds(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1 && count < few; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

/** The comparison of two texts if it is known or quick; undefined when the worker must do it. */
export const knownComparison = (texts: Texts): Comparison | undefined =>
  isLarge(texts) ? memory.recall(keyOf(texts)) : compareLines(texts.from, texts.to, texts.first)

/** A comparison in the worker, and how many components still need it. */
interface Running {
  readonly found: Promise<Comparison>
  readonly controller: AbortController
  users: number
}

const running = new Map<string, Running>()

/**
 * Compares two texts in the worker, or here if there is none, and caches the result. The same texts are compared
 * once at a time. When all callers have aborted, the comparison is canceled and rejects.
 */
export async function compareBeside(texts: Texts, signal?: AbortSignal): Promise<Comparison> {
  const known = knownComparison(texts)
  if (known !== undefined) return known
  const key = keyOf(texts)
  const shared = running.get(key) ?? begin(key, texts)
  shared.users += 1
  const leave = () => {
    shared.users -= 1
    // A component that renders again asks again before this runs.
    queueMicrotask(() => shared.users === 0 && cancel(key, shared))
  }
  signal?.addEventListener('abort', leave, { once: true })
  return shared.found
}

function begin(key: string, texts: Texts): Running {
  const controller = new AbortController()
  const found = compare(texts, controller.signal)
  const started: Running = { found, controller, users: 0 }
  running.set(key, started)
  const end = () => forget(key, started)
  found.then(end, end)
  return started
}

function cancel(key: string, comparison: Running): void {
  forget(key, comparison)
  comparison.controller.abort()
}

function forget(key: string, comparison: Running): void {
  if (running.get(key) === comparison) running.delete(key)
}

async function compare(texts: Texts, signal: AbortSignal): Promise<Comparison> {
  const answer = await askWorker(texts, signal)
  signal.throwIfAborted()
  const found = answer ?? compareLines(texts.from, texts.to, texts.first)
  memory.keep(keyOf(texts), found)
  return found
}

async function askWorker(texts: Texts, signal: AbortSignal): Promise<Comparison | null> {
  if (typeof Worker === 'undefined') return null
  try {
    const { compareInWorker } = await import('./comparer.ts')
    return signal.aborted ? null : await compareInWorker(texts, signal)
  } catch {
    // Its script could not be loaded: then it is compared here.
    return null
  }
}
