import { ownScript } from '../../safety/own-script.ts'
import type { ColouredLine, ColourReply, ColourRequest } from './coloured.ts'
// oxlint-disable-next-line import/default -- it is made when the app is built
import address from './highlight.worker.ts?worker&url'
import type { Language } from './language-names.ts'

type Lines = readonly ColouredLine[] | null

/** How long the worker may say nothing while something is asked of it. */
const patience = 10_000
const waiting = new Map<number, (lines: Lines) => void>()
let asked = 0
let worker: Worker | null = null
let watching: ReturnType<typeof setTimeout> | undefined

/** The lines of a text in colours, from the worker; null where they stay plain. */
export function colour(text: string, language: Language): Promise<Lines> {
  worker ??= start()
  const request: ColourRequest = { id: ++asked, text, language }
  return new Promise(resolve => {
    waiting.set(request.id, resolve)
    worker?.postMessage(request)
    watch()
  })
}

function start(): Worker {
  const started = new Worker(ownScript(address), { type: 'module', name: 'highlight' })
  started.addEventListener('message', ({ data: { id, lines } }: MessageEvent<ColourReply>) => {
    waiting.get(id)?.(lines)
    waiting.delete(id)
    watch()
  })
  started.addEventListener('error', giveUp)
  return started
}

/** A text on which the worker loses itself must not cost the others their colours. */
function watch(): void {
  clearTimeout(watching)
  if (waiting.size > 0) watching = setTimeout(giveUp, patience)
}

/** What was asked stays plain; the next text starts a new worker. */
function giveUp(): void {
  worker?.terminate()
  worker = null
  for (const resolve of waiting.values()) resolve(null)
  waiting.clear()
}
