import { createAsker } from '../../safety/ask-worker.ts'
import { ownScript } from '../../safety/own-script.ts'
import type { CompareReply, CompareRequest, Comparison, Texts } from './compare-lines.ts'
// oxlint-disable-next-line import/default -- it is made when the app is built
import address from './compare.worker.ts?worker&url'

const ask = createAsker<Omit<CompareRequest, 'id'>, CompareReply>(
  () => new Worker(ownScript(address), { type: 'module', name: 'compare' }),
)

/** The worker's result; null when no worker responds, and after an abort. */
export async function compareInWorker(texts: Texts, signal: AbortSignal): Promise<Comparison | null> {
  return (await ask(texts, signal))?.comparison ?? null
}
