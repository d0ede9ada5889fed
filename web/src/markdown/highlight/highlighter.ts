import { createAsker } from '../../safety/ask-worker.ts'
import { ownScript } from '../../safety/own-script.ts'
import type { ColouredLine, ColourReply, ColourRequest } from './coloured.ts'
// oxlint-disable-next-line import/default -- it is made when the app is built
import address from './highlight.worker.ts?worker&url'
import type { Language } from './language-names.ts'

const ask = createAsker<Omit<ColourRequest, 'id'>, ColourReply>(
  () => new Worker(ownScript(address), { type: 'module', name: 'highlight' }),
)

/** The lines of a text in colours, from the worker; null where they stay plain. */
export async function colour(text: string, language: Language): Promise<readonly ColouredLine[] | null> {
  return (await ask({ text, language }))?.lines ?? null
}
